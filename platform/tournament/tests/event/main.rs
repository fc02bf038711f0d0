//! Events from their making to their records, with simulated players on a simulated clock.

mod evidence;
mod failures;
mod folders;
mod following;
mod formats;
mod merging;
#[cfg(unix)]
mod odd_files;
mod referee;
mod remote;
mod repair;
mod runs;
mod spoiled;
mod steering;
mod stops;
mod test_event;
mod watching;
