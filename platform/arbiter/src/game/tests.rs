mod clocks;
mod endings;
mod opening;
mod policies;
mod properties;
mod table;
