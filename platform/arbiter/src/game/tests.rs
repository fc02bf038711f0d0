mod claims;
mod clocks;
mod endings;
mod opening;
mod policies;
mod properties;
mod seats;
mod table;
