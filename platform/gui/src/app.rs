//! The state and behaviour of the application, without a window.
//!
//! Four layers, each of which imports only the ones before it: [`model`], [`storage`], [`session`]
//! and [`controller`]. Code outside of `app` sees them as one.

pub mod controller;
pub mod model;
pub mod session;
pub mod storage;

pub use controller::*;
pub use model::*;
pub use session::*;
pub use storage::*;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Every file of a layer.
    fn files(dir: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path());
        let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
        entries.flat_map(below).chain([dir.with_extension("rs")]).filter(|f| f.is_file()).collect()
    }

    #[test]
    fn layers_import_only_the_ones_before_them() {
        let layers = ["model", "storage", "session", "controller"];
        let app = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app");
        for (index, layer) in layers.iter().enumerate() {
            for file in files(&app.join(layer)) {
                let text = fs::read_to_string(&file).unwrap();
                let import = |other: &&&str| text.contains(&format!("app::{other}"));
                let later = layers[index + 1..].iter().find(import);
                assert_eq!(later, None, "{}", file.display());
                assert!(!text.contains("use crate::app::{"), "{}: by layer", file.display());
            }
        }
    }
}
