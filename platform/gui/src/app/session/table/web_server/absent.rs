//! In a build without a server.

use std::path::PathBuf;
use std::sync::Arc;

use super::WebServer;
use crate::app::model::{EngineProvider, ServerTerms};

impl WebServer {
    /// Starts none.
    ///
    /// # Errors
    /// Always.
    pub fn start(
        _: ServerTerms,
        _: Option<PathBuf>,
        _: Arc<dyn EngineProvider>,
    ) -> Result<WebServer, String> {
        Err("this tengen was built without a server".to_owned())
    }
}
