//! The `Player` trait, and players that need no engine.
#![forbid(unsafe_code)]

mod cpu_claim;
mod engine_instance;
mod engine_thread;
mod heartbeat;
mod listener;
mod player;
mod random_legal;
mod real_time;
mod scripted;

pub use cpu_claim::CpuClaim;
pub use engine_instance::{EngineIdentity, EngineInstance, EngineInterrupt, ListedEngine};
pub use engine_thread::{EngineDriver, EngineHandle, EngineNews, EngineQuestion, EngineThread};
pub use heartbeat::stopped;
pub use listener::{Listener, SearchProgress, Subscription};
pub use player::{
    AT_WORK, DENIED, Fault, GameSetup, GameVariant, Player, Reply, Request, Time, Timing,
};
pub use random_legal::RandomLegal;
pub use real_time::RealTime;
pub use scripted::Scripted;
pub use tengen_arbiter::SearchInfo;
