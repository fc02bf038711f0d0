//! Pictures: the user's for boards, and those of a chat.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use image::{ImageReader, Limits, RgbImage};
use tengen_link::PictureProblem;
use tengen_link::messages::ChatPicture;

/// The longest side of a picture; larger ones are scaled down.
const LONGEST: u32 = 1600;

/// A picture that is drawn in the window.
#[derive(Debug)]
pub struct Picture {
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// Red, green and blue of every pixel, row by row.
    pub rgb: Vec<u8>,
    id: u64,
}

impl PartialEq for Picture {
    fn eq(&self, other: &Picture) -> bool {
        self.id == other.id
    }
}

impl Picture {
    /// Reads a PNG or JPEG file.
    ///
    /// # Errors
    /// The message of the system or the decoder.
    pub fn read(path: &Path) -> Result<Picture, String> {
        let opened = ImageReader::open(path).and_then(ImageReader::with_guessed_format);
        let mut reader = opened.map_err(|error: io::Error| error.to_string())?;
        let mut limits = Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(20_000), Some(20_000));
        reader.limits(limits);
        let image = reader.decode().map_err(|error| error.to_string())?;
        let image = if image.width().max(image.height()) > LONGEST {
            image.thumbnail(LONGEST, LONGEST)
        } else {
            image
        };
        Ok(Picture::new(image.into_rgb8()))
    }

    /// Reads a picture of a chat, which may be anybody's.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(in crate::app) fn of_chat(picture: &ChatPicture) -> Result<Picture, PictureProblem> {
        picture.pixels().map(Picture::new)
    }

    fn new(image: RgbImage) -> Picture {
        static PICTURES: AtomicU64 = AtomicU64::new(1);
        Picture {
            width: image.width() as usize,
            height: image.height() as usize,
            rgb: image.into_raw(),
            id: PICTURES.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Its id, unique in the program.
    pub fn id(&self) -> u64 {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_read_and_made_small_enough() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wide.png");
        image::RgbImage::from_pixel(3200, 16, image::Rgb([9, 8, 7])).save(&path).unwrap();
        let picture = Picture::read(&path).unwrap();
        assert_eq!((picture.width, picture.height), (1600, 8));
        assert_eq!(picture.rgb[..3], [9, 8, 7]);
    }
}
