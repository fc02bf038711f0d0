//! In a build without a server.

use std::path::PathBuf;
use std::sync::Arc;

use tengen_lineup::NO_SERVER;
use tengen_link::TableEngines;

use super::WebServer;
use crate::app::model::ServerTerms;

impl WebServer {
    /// Starts none.
    ///
    /// # Errors
    /// Always.
    pub fn start(
        _: ServerTerms,
        _: Option<PathBuf>,
        _: Arc<dyn TableEngines>,
    ) -> Result<WebServer, String> {
        Err(NO_SERVER.to_owned())
    }
}
