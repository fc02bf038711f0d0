//! An engine with a small incremental network, on the SDK's search.
//!
//! The network ([`Network`]) corrects the SDK's evaluation. It looks at every line of seven points:
//! each pattern of stones on such a line has sixteen numbers, and their sum over the board is kept
//! up to date stone by stone ([`Accumulator`]), so that a position costs one look at two small
//! layers. Its weights are the package file `nnue.weights`, which [`training`] makes from games
//! that the engine plays against itself:
//!
//! ```text
//! cargo run --release -p nnue --example train -- --out examples/nnue/nnue.weights
//! ```
//!
//! Without the file it plays with the SDK's evaluation alone, and says so in the log of the game.

mod accumulator;
mod evaluation;
mod lanes;
mod network;
pub mod training;

use std::sync::Arc;

use tengen_sdk::{GameInfo, Package, Parts, SearchEngine, export_engine};

pub use accumulator::{Accumulator, PATTERNS};
pub use evaluation::NetworkEval;
pub use network::{Network, WeightsError};

/// The name of the file of weights in the package.
pub const WEIGHTS: &str = "nnue.weights";

/// The parts of the engine: an evaluation. Everything else is the framework's.
#[derive(Default)]
pub struct Nnue {
    network: Option<Arc<Network>>,
}

impl Parts for Nnue {
    type Eval = NetworkEval;
    type Options = ();

    fn load(&mut self, package: &Package<'_>) {
        let read = package.read_once(WEIGHTS, |bytes| Network::read(&bytes).map(Arc::new));
        self.network = match read.as_deref() {
            Ok(Ok(network)) => Some(Arc::clone(network)),
            Ok(Err(error)) => {
                package.log(&format!("{WEIGHTS}: {error}; the network is left out"));
                None
            }
            Err(error) => {
                package.log(&format!("{WEIGHTS}: {error}; the network is left out"));
                None
            }
        };
    }

    fn evaluation(&self, _: &GameInfo) -> NetworkEval {
        NetworkEval::new(self.network.clone())
    }
}

/// The engine.
pub type NnueEngine = SearchEngine<Nnue>;

export_engine!(NnueEngine);
