//! The pictures that clients send: a server draws them anew one after another, and not too many.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tengen_link::messages::ChatPicture;

use super::rate::RateLimiter;
use super::table::{ClientRefusal, refused};

/// How many pictures of all clients are drawn at once, and each second after that.
const AT_ONCE: f64 = 20.0;
const A_SECOND: f64 = 10.0;

/// Where pictures are drawn anew. It is locked meanwhile, so that all clients together take no more
/// memory than one.
pub(super) struct PictureIntake(Mutex<RateLimiter>);

impl Default for PictureIntake {
    fn default() -> PictureIntake {
        PictureIntake(Mutex::new(RateLimiter::new(AT_ONCE, A_SECOND)))
    }
}

impl PictureIntake {
    /// Draws the picture of a client anew. It takes milliseconds, in which the other messages of
    /// this thread are read by others.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn take(&self, data: &str) -> Result<ChatPicture, ClientRefusal> {
        tokio::task::block_in_place(|| {
            let mut rate = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !rate.allows(Instant::now()) {
                return refused("too_fast", "the server gets too many pictures; wait a moment");
            }
            ChatPicture::of_client(data).or_else(|problem| refused("picture", problem.to_string()))
        })
    }
}
