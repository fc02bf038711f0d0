//! The network as it is: connections of `tengen-link`, and a server of `tengen-web`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tengen_link::{Connection, ConnectionOptions, RemoteEngine, RemoteNews};

use super::network::{LinkTell, OpenServer, ServerSetup, TableNetwork};

/// Connects to the servers of `tengen serve --play`, and runs one.
#[derive(Debug, Default)]
pub struct WebNetwork;

impl TableNetwork for WebNetwork {
    fn connect(&self, options: ConnectionOptions, tell: LinkTell) -> io::Result<Connection> {
        Connection::open(options, tell)
    }

    #[cfg(feature = "serve")]
    fn serve(&self, setup: ServerSetup) -> Result<Arc<dyn OpenServer>, String> {
        Ok(Arc::new(super::web_server::WebServer::start(setup)?))
    }

    #[cfg(not(feature = "serve"))]
    fn serve(&self, _: ServerSetup) -> Result<Arc<dyn OpenServer>, String> {
        Err("this tengen was built without a server".to_owned())
    }

    fn play(
        &self,
        engine: RemoteEngine,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<(), String> {
        engine.play(stop, tell).map_err(|error| error.to_string())
    }
}
