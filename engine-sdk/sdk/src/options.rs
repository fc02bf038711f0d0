//! Options that are declared once, as the fields of a struct.

use std::ops::RangeInclusive;

use crate::{OptionError, OptionSpec};

/// The options of an engine: a struct with a field for each, made by `#[derive(Options)]`.
///
/// A field is a whole number with a range, a `bool`, or a `String`, which is any text or one of
/// some values. Its attribute says the default, and may give it another name than its own, a unit,
/// and the mark that a tuner may vary it. The derive makes [`Default`], too. All of it appears in
/// `tengen engines show`.
///
/// ```
/// use tengen_sdk::{OptionError, Options};
///
/// #[derive(Debug, Options)]
/// struct Knobs {
///     /// The table's size.
///     #[option(name = "Hash", default = 16, range = 1..=1024, unit = "MiB")]
///     hash_mib: usize,
///     #[option(default = 900, range = -5000..=5000, tune)]
///     four_bonus: i32,
///     #[option(default = true)]
///     book: bool,
///     #[option(default = "solid", values = ["solid", "wild"])]
///     style: String,
/// }
///
/// let mut knobs = Knobs::default();
/// knobs.set("FourBonus", "-20")?;
/// knobs.set("Style", "wild")?;
/// assert_eq!((knobs.hash_mib, knobs.four_bonus), (16, -20));
/// assert_eq!((knobs.book, &*knobs.style), (true, "wild"));
/// assert_eq!(knobs.set("Hash", "0"), Err(OptionError::BadValue));
/// assert_eq!(knobs.set("Depth", "1"), Err(OptionError::Unknown));
/// assert_eq!(Knobs::specs()[1].to_string(), "int FourBonus 900 -5000..5000 tune");
/// # Ok::<(), OptionError>(())
/// ```
///
/// A range is a constant, and it must fit an `i64`, as hosts read options. The compiler says so
/// where it does not:
///
/// ```compile_fail
/// #[derive(tengen_sdk::Options)]
/// struct Knobs {
///     #[option(default = 1, range = 0..=u64::MAX)]
///     salt: u64,
/// }
/// ```
pub trait Options: Default {
    /// Their description, for [`Description::options`](crate::Description::options).
    fn specs() -> Vec<OptionSpec>;

    /// Sets one of them, for [`Engine::set_option`](crate::Engine::set_option).
    ///
    /// # Errors
    /// When there is no such option, or the value is not one of its values. Nothing is set then.
    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError>;
}

/// No options at all.
impl Options for () {
    fn specs() -> Vec<OptionSpec> {
        Vec::new()
    }

    fn set(&mut self, _: &str, _: &str) -> Result<(), OptionError> {
        Err(OptionError::Unknown)
    }
}

/// A whole number within a range, as what the derive makes reads it.
#[doc(hidden)]
pub fn read_int<T: TryFrom<i64> + PartialOrd>(
    value: &str,
    range: RangeInclusive<T>,
) -> Result<T, OptionError> {
    let number: i64 = value.parse().map_err(|_| OptionError::BadValue)?;
    let number = T::try_from(number).map_err(|_| OptionError::BadValue)?;
    if range.contains(&number) { Ok(number) } else { Err(OptionError::BadValue) }
}
