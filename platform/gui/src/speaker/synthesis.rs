//! Computes the samples of the sounds.

use std::f32::consts::TAU;

use crate::app::Sound;

/// Samples per second.
const RATE: u32 = 22_050;

/// A decaying tone.
struct Tone {
    /// Its start, in seconds.
    at: f32,
    /// Its frequency in hertz; none is noise.
    pitch: Option<f32>,
    /// Its initial volume, up to 1.
    loud: f32,
    /// The time constant of its decay, in seconds.
    fade: f32,
}

const fn tone(at: f32, pitch: f32, loud: f32, fade: f32) -> Tone {
    Tone { at, pitch: Some(pitch), loud, fade }
}

const fn noise(at: f32, loud: f32, fade: f32) -> Tone {
    Tone { at, pitch: None, loud, fade }
}

/// A stone on thick wood: a click, and the board's short note.
const STONE: &[Tone] =
    &[noise(0.0, 0.5, 0.004), tone(0.0, 1_310.0, 0.35, 0.012), tone(0.001, 415.0, 0.45, 0.025)];
const REFUSED: &[Tone] = &[tone(0.0, 155.0, 0.5, 0.06), tone(0.0, 164.0, 0.4, 0.06)];
const LOW_TIME: &[Tone] = &[tone(0.0, 880.0, 0.3, 0.04), tone(0.16, 880.0, 0.3, 0.04)];
const OFFER: &[Tone] = &[tone(0.0, 523.3, 0.35, 0.12), tone(0.14, 659.3, 0.35, 0.14)];
const OVER: &[Tone] =
    &[tone(0.0, 392.0, 0.3, 0.18), tone(0.13, 493.9, 0.3, 0.18), tone(0.26, 587.3, 0.35, 0.25)];

/// The tones of a sound, and its length in seconds.
fn score(sound: Sound) -> (&'static [Tone], f32) {
    match sound {
        Sound::Stone => (STONE, 0.14),
        Sound::Refused => (REFUSED, 0.25),
        Sound::LowTime => (LOW_TIME, 0.35),
        Sound::Offer => (OFFER, 0.5),
        Sound::Over => (OVER, 0.9),
    }
}

fn samples(sound: Sound) -> Vec<i16> {
    let (tones, lasts) = score(sound);
    let count = (lasts * RATE as f32) as u32;
    let mut random = 1_u32;
    (0..count)
        .map(|index| {
            let now = index as f32 / RATE as f32;
            // Faded out, or it would click.
            let end = ((lasts - now) / 0.02).min(1.0);
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let hiss = (random >> 16) as f32 / 32_768.0 - 1.0;
            let sum: f32 = tones.iter().map(|tone| tone.sample(now, hiss)).sum();
            (sum.clamp(-1.0, 1.0) * end * f32::from(i16::MAX)) as i16
        })
        .collect()
}

impl Tone {
    fn sample(&self, now: f32, hiss: f32) -> f32 {
        let since = now - self.at;
        if since < 0.0 {
            return 0.0;
        }
        let wave = self.pitch.map_or(hiss, |pitch| (since * pitch * TAU).sin());
        wave * self.loud * (-since / self.fade).exp()
    }
}

/// A sound as a WAV file: one channel of 16 bits.
pub(super) fn wave(sound: Sound) -> Vec<u8> {
    let samples = samples(sound);
    let length = 2 * samples.len() as u32;
    let mut file = Vec::with_capacity(44 + length as usize);
    file.extend(b"RIFF");
    file.extend((36 + length).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    // Plain samples, one channel.
    file.extend([1, 0, 1, 0]);
    file.extend(RATE.to_le_bytes());
    file.extend((2 * RATE).to_le_bytes());
    // Bytes a sample of all channels, bits a sample.
    file.extend([2, 0, 16, 0]);
    file.extend(b"data");
    file.extend(length.to_le_bytes());
    file.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sound_can_be_heard_and_ends_in_silence() {
        for sound in Sound::ALL {
            let samples = samples(sound);
            let loudest = samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap();
            assert!((5_000..=32_767).contains(&loudest), "{sound:?} {loudest}");
            assert!(samples.last().unwrap().unsigned_abs() < 400, "{sound:?}");
            assert!(samples.len() < RATE as usize, "{sound:?}");
        }
    }

    #[test]
    fn a_wave_says_how_long_it_is() {
        for sound in Sound::ALL {
            let file = wave(sound);
            let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
            assert_eq!(number(4) as usize, file.len() - 8);
            assert_eq!(number(40) as usize, file.len() - 44);
            assert_eq!((number(24), number(28)), (RATE, 2 * RATE));
        }
    }
}
