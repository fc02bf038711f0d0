use std::fmt;
use std::str::FromStr;

use super::option::ParseOptionError;

/// A size of memory or of files (`350MiB`, `2GiB`), kept in MiB.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mebibytes(pub u32);

impl Mebibytes {
    /// The most, a TiB.
    pub const MOST: u32 = 1 << 20;
}

impl FromStr for Mebibytes {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<Mebibytes, ParseOptionError> {
        let units = [("MiB", 1), ("GiB", 1024)];
        let read = |(unit, factor): (&str, u32)| {
            let number = text.strip_suffix(unit)?.parse::<u32>().ok()?;
            number.checked_mul(factor).filter(|mib| (1..=Mebibytes::MOST).contains(mib))
        };
        let expected = "a size as in 350MiB or 2GiB, at most 1024GiB";
        let mib = units.into_iter().find_map(read);
        mib.map(Mebibytes).ok_or_else(|| ParseOptionError::new(text, expected))
    }
}

impl fmt::Display for Mebibytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mebibytes(mib) = self;
        match mib.is_multiple_of(1024) {
            true => write!(f, "{}GiB", mib / 1024),
            false => write!(f, "{mib}MiB"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_show_as_they_read() {
        for text in ["1MiB", "350MiB", "1GiB", "1024GiB"] {
            assert_eq!(text.parse::<Mebibytes>().unwrap().to_string(), text);
        }
        assert_eq!("2048MiB".parse(), Ok(Mebibytes(2048)));
    }

    #[test]
    fn what_is_no_size_names_what_is() {
        for text in ["", "350", "0MiB", "350MB", "-1MiB", "1.5GiB", "1025GiB", "9999999999MiB"] {
            let error = text.parse::<Mebibytes>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}`: expected ")), "{error}");
        }
    }
}
