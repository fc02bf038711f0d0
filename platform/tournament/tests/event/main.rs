//! Events from their making to their records, with simulated players on a simulated clock.

mod failures;
mod folders;
mod house;
mod repair;
mod runs;
mod stops;
mod watching;
