//! Pictures in the chat: the picture of anybody is drawn anew, so that nothing of its file goes on
//! to others, and is read within bounds.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::metadata::Orientation;
use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbImage, Rgba,
    RgbaImage, imageops,
};
use thiserror::Error;

use crate::messages::{ChatPicture, PictureFormat};

/// The most columns and rows that are handed on; what is larger is scaled down.
const MOST_WIDTH: u32 = 320;
const MOST_HEIGHT: u32 = 240;
/// The most bytes of a file that is handed on, so that four fit into the table's message.
const MOST_DATA: usize = 24 * 1024;
/// The qualities of JPEG that are tried until a file is small enough.
const QUALITIES: [u8; 4] = [80, 60, 40, 15];

/// How large a picture may be that is read.
struct ReadBounds {
    /// The most columns, and the most rows.
    side: u32,
    /// The most bytes of its pixels.
    bytes: u64,
}

/// What a client may send: a bomb ends here.
const OF_CLIENT: ReadBounds = ReadBounds { side: 1024, bytes: 8 << 20 };
/// What a person chooses on the own computer.
const OF_FILE: ReadBounds = ReadBounds { side: 20_000, bytes: 400 << 20 };

/// Why a picture is not taken.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PictureProblem {
    #[error("the picture is not in base64")]
    Encoding,
    #[error("the picture is neither a PNG nor a JPEG file")]
    Format,
    #[error("the picture is too large; it may have {0} columns and rows")]
    Size(u32),
    #[error("the picture cannot be read: {0}")]
    Damaged(String),
}

impl ChatPicture {
    /// Draws the picture that a client sent anew. Takes some milliseconds, and at most 24 MiB.
    ///
    /// # Errors
    /// When it is no PNG or JPEG file in base64, or too large.
    pub fn of_client(data: &str) -> Result<ChatPicture, PictureProblem> {
        ChatPicture::draw(read(&decoded(data)?, &OF_CLIENT)?)
    }

    /// Makes a picture of a PNG or JPEG file of the own computer, small enough to be sent.
    ///
    /// # Errors
    /// When it is none, or too large.
    pub fn of_file(file: &[u8]) -> Result<ChatPicture, PictureProblem> {
        ChatPicture::draw(read(file, &OF_FILE)?)
    }

    /// Its pixels. A server may be anybody's: they are read within the bounds of a client.
    ///
    /// # Errors
    /// When it is no PNG or JPEG file in base64, or too large.
    pub fn pixels(&self) -> Result<RgbImage, PictureProblem> {
        read(&decoded(&self.data)?, &OF_CLIENT)
    }

    fn draw(image: RgbImage) -> Result<ChatPicture, PictureProblem> {
        let (width, height) = image.dimensions();
        let image = match width > MOST_WIDTH || height > MOST_HEIGHT {
            true => DynamicImage::from(image).thumbnail(MOST_WIDTH, MOST_HEIGHT).into_rgb8(),
            false => image,
        };
        let damaged = |error: ImageError| PictureProblem::Damaged(error.to_string());
        let mut png = Vec::new();
        image.write_with_encoder(PngEncoder::new(&mut png)).map_err(damaged)?;
        // Drawings are smaller as PNG, photographs as JPEG.
        let (mut format, mut file) = (PictureFormat::Png, png);
        for quality in QUALITIES {
            let mut jpeg = Vec::new();
            let encoder = JpegEncoder::new_with_quality(&mut jpeg, quality);
            image.write_with_encoder(encoder).map_err(damaged)?;
            if jpeg.len() < file.len() {
                (format, file) = (PictureFormat::Jpeg, jpeg);
            }
            if file.len() <= MOST_DATA {
                break;
            }
        }
        let (width, height) = image.dimensions();
        Ok(ChatPicture { format, width, height, data: STANDARD.encode(file) })
    }
}

fn decoded(data: &str) -> Result<Vec<u8>, PictureProblem> {
    STANDARD.decode(data).map_err(|_| PictureProblem::Encoding)
}

/// The pixels of a PNG or JPEG file, the right way up, on white where it is seen through.
fn read(file: &[u8], bounds: &ReadBounds) -> Result<RgbImage, PictureProblem> {
    let problem = |error: ImageError| match error {
        ImageError::Limits(_) => PictureProblem::Size(bounds.side),
        error => PictureProblem::Damaged(error.to_string()),
    };
    let format = image::guess_format(file).map_err(|_| PictureProblem::Format)?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg) {
        return Err(PictureProblem::Format);
    }
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::no_limits();
    (limits.max_image_width, limits.max_image_height) = (Some(bounds.side), Some(bounds.side));
    limits.max_alloc = Some(bounds.bytes);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(problem)?;
    if decoder.total_bytes() > bounds.bytes {
        return Err(PictureProblem::Size(bounds.side));
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(problem)?;
    image.apply_orientation(orientation);
    if !image.color().has_alpha() {
        return Ok(image.into_rgb8());
    }
    let mut ground = RgbaImage::from_pixel(image.width(), image.height(), Rgba([255; 4]));
    imageops::overlay(&mut ground, &image.into_rgba8(), 0, 0);
    Ok(DynamicImage::from(ground).into_rgb8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(image: &DynamicImage) -> Vec<u8> {
        let mut file = Vec::new();
        image.write_with_encoder(PngEncoder::new(&mut file)).unwrap();
        file
    }

    fn of_client(file: &[u8]) -> Result<ChatPicture, PictureProblem> {
        ChatPicture::of_client(&STANDARD.encode(file))
    }

    /// A picture that no compression makes smaller.
    fn noise(width: u32, height: u32) -> DynamicImage {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        RgbImage::from_fn(width, height, |_, _| image::Rgb([next(), next(), next()])).into()
    }

    #[test]
    fn a_picture_is_scaled_and_small_enough_in_the_format_that_suits_it() {
        let drawing = RgbImage::from_pixel(640, 100, image::Rgb([9, 8, 7]));
        let drawn = of_client(&png(&drawing.into())).unwrap();
        assert_eq!((drawn.format, drawn.width, drawn.height), (PictureFormat::Png, 320, 50));
        assert_eq!(drawn.pixels().unwrap().get_pixel(3, 3).0, [9, 8, 7]);
        let photo = ChatPicture::of_file(&png(&noise(900, 700))).unwrap();
        assert_eq!(photo.format, PictureFormat::Jpeg);
        for one in [&photo, &ChatPicture::of_file(&png(&noise(320, 240))).unwrap()] {
            assert!(one.data.len() <= MOST_DATA * 4 / 3 + 4, "{}", one.data.len());
            let again = ChatPicture::of_client(&one.data).unwrap();
            assert_eq!((again.width, again.height), (one.width, one.height));
        }
        let clear = RgbaImage::from_pixel(20, 10, Rgba([0, 0, 0, 0]));
        let on_white = of_client(&png(&clear.into())).unwrap();
        assert_eq!(on_white.pixels().unwrap().get_pixel(3, 3).0, [255; 3]);
    }

    #[test]
    fn bombs_and_what_is_no_picture_are_refused() {
        assert_eq!(ChatPicture::of_client("no base64!"), Err(PictureProblem::Encoding));
        let svg = br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
        for file in [&svg[..], b"GIF89a\x01\0\x01\0\0\0\0", b""] {
            assert_eq!(of_client(file), Err(PictureProblem::Format));
        }
        // One colour is a small file, however many pixels it has.
        let bomb = png(&RgbImage::new(1025, 4).into());
        assert_eq!(of_client(&bomb), Err(PictureProblem::Size(1024)));
        // Said to be larger than any memory, in a few bytes.
        let mut huge = png(&RgbImage::new(8, 8).into());
        huge[16..24].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]);
        assert!(of_client(&huge).is_err());
        let mut torn = png(&noise(64, 64));
        torn.truncate(torn.len() / 2);
        assert!(matches!(of_client(&torn), Err(PictureProblem::Damaged(_))));
    }

    #[test]
    fn nothing_of_the_file_is_handed_on() {
        const SECRET: &[u8] = b"52.5163N 13.3777E <script>";
        let mut file = Vec::new();
        JpegEncoder::new(&mut file).encode_image(&noise(60, 40)).unwrap();
        // A comment after the first marker, and more after the end.
        let length = u16::try_from(SECRET.len() + 2).unwrap().to_be_bytes();
        let comment = [&[0xff, 0xfe], &length[..], SECRET].concat();
        file.splice(2..2, comment);
        file.extend_from_slice(SECRET);
        let drawn = STANDARD.decode(of_client(&file).unwrap().data).unwrap();
        let holds = |file: &[u8]| file.windows(SECRET.len()).any(|part| part == SECRET);
        assert!(holds(&file) && !holds(&drawn));
        // The camera was turned: the picture is not, and nothing says any more that it was.
        let mut turned = Vec::new();
        let mut encoder = JpegEncoder::new(&mut turned);
        let exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
        image::ImageEncoder::set_exif_metadata(&mut encoder, exif).unwrap();
        encoder.encode_image(&noise(60, 40)).unwrap();
        let upright = of_client(&turned).unwrap();
        assert_eq!((upright.width, upright.height), (40, 60));
        assert!(!STANDARD.decode(upright.data).unwrap().windows(4).any(|part| part == b"Exif"));
    }
}
