//! Structs of the ABI to bytes and back, by the sizes that both sides claim.

use core::fmt;
use core::mem::offset_of;

use crate::MoveCode;

/// Bytes that are no struct of the ABI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodecError {
    /// The struct claims fewer bytes than its own size field takes, or than the reader must have.
    TooSmall {
        /// The size it claims.
        size: u32,
    },
    /// The struct claims more bytes than there are.
    Truncated {
        /// The size it claims; 4 when not even that could be read.
        size: u32,
        /// How many bytes there are.
        have: usize,
    },
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodecError::TooSmall { size } => {
                write!(f, "a struct claims a size of {size} bytes, too small for its first fields")
            }
            CodecError::Truncated { size, have } => {
                write!(f, "a struct claims a size of {size} bytes, but only {have} are there")
            }
        }
    }
}

impl core::error::Error for CodecError {}

/// A struct of the ABI that starts with its size. Encoding always writes [`Wire::SIZE`] there;
/// decoding reads the smaller of that and the writer's size, and leaves the rest zero.
///
/// ```
/// use tengen_abi::{Question, Wire, ask};
/// let question = Question { kind: ask::SWAP, choices: 0b11, ..Question::default() };
/// let mut bytes = question.to_bytes();
/// assert_eq!(Question::from_bytes(&bytes), Ok(question));
/// ```
pub trait Wire: Copy + Sized {
    /// Its size in bytes, in memory and on the wire.
    const SIZE: usize;
    /// Its bytes: `[u8; Self::SIZE]`.
    type Bytes: AsRef<[u8]> + AsMut<[u8]>;

    /// Its bytes, little-endian.
    fn to_bytes(&self) -> Self::Bytes;

    /// Reads it from the front of `bytes`; the result's own `size` is [`Wire::SIZE`].
    ///
    /// # Errors
    /// When the claimed size is below 4 or goes beyond `bytes`.
    fn from_bytes(bytes: &[u8]) -> Result<Self, CodecError>;
}

/// The size a struct claims, checked against the bytes there are.
pub(crate) fn claimed(bytes: &[u8]) -> Result<usize, CodecError> {
    let have = bytes.len();
    let Some(head) = bytes.first_chunk::<4>() else {
        return Err(CodecError::Truncated { size: 4, have });
    };
    let size = u32::from_le_bytes(*head);
    if size < 4 {
        return Err(CodecError::TooSmall { size });
    }
    if size as usize > have {
        return Err(CodecError::Truncated { size, have });
    }
    Ok(size as usize)
}

/// One field: a fixed number of bytes.
pub(crate) trait Field: Copy {
    const LEN: usize;
    const ZERO: Self;
    fn put(&self, to: &mut [u8]);
    fn get(from: &[u8]) -> Self;
}

macro_rules! integer_fields {
    ($($int:ty),*) => {$(
        impl Field for $int {
            const LEN: usize = size_of::<$int>();
            const ZERO: $int = 0;

            fn put(&self, to: &mut [u8]) {
                to.copy_from_slice(&self.to_le_bytes());
            }

            fn get(from: &[u8]) -> $int {
                <$int>::from_le_bytes(from.try_into().expect("a field is cut to its length"))
            }
        }
    )*};
}
integer_fields!(u16, u32, u64, i32, i64);

impl Field for MoveCode {
    const LEN: usize = 2;
    const ZERO: MoveCode = MoveCode(0);

    fn put(&self, to: &mut [u8]) {
        self.0.put(to);
    }

    fn get(from: &[u8]) -> MoveCode {
        MoveCode(u16::get(from))
    }
}

impl<const N: usize> Field for [MoveCode; N] {
    const LEN: usize = 2 * N;
    const ZERO: [MoveCode; N] = [MoveCode::ZERO; N];

    fn put(&self, to: &mut [u8]) {
        for (field, to) in self.iter().zip(to.chunks_exact_mut(2)) {
            field.put(to);
        }
    }

    fn get(from: &[u8]) -> [MoveCode; N] {
        core::array::from_fn(|i| MoveCode::get(&from[2 * i..2 * i + 2]))
    }
}

/// Declares a struct of fields without padding, and its bytes.
macro_rules! fields {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(C)]
        pub struct $name { $($(#[$field_doc])* pub $field: $kind,)* }

        impl $crate::codec::Field for $name {
            const LEN: usize = size_of::<$name>();
            const ZERO: $name = $name { $($field: <$kind as $crate::codec::Field>::ZERO,)* };

            fn put(&self, to: &mut [u8]) {
                $({
                    let at = core::mem::offset_of!($name, $field);
                    let end = at + <$kind as $crate::codec::Field>::LEN;
                    $crate::codec::Field::put(&self.$field, &mut to[at..end]);
                })*
            }

            fn get(from: &[u8]) -> $name {
                $name { $($field: {
                    let at = core::mem::offset_of!($name, $field);
                    <$kind as $crate::codec::Field>::get(
                        &from[at..at + <$kind as $crate::codec::Field>::LEN],
                    )
                },)* }
            }
        }

        // Padding would be bytes that no field writes.
        const _: () = assert!(
            size_of::<$name>() == 0 $(+ <$kind as $crate::codec::Field>::LEN)*
        );
    };
}
pub(crate) use fields;

/// Makes a struct of [`fields!`] whose first field is `size` a [`Wire`] struct.
macro_rules! wire {
    ($name:ident, $size:literal) => {
        const _: () = assert!(size_of::<$name>() == $size && offset_of!($name, size) == 0);

        impl $crate::Wire for $name {
            const SIZE: usize = $size;
            type Bytes = [u8; $size];

            fn to_bytes(&self) -> [u8; $size] {
                let mut bytes = [0; $size];
                $crate::codec::Field::put(&$name { size: $size, ..*self }, &mut bytes);
                bytes
            }

            fn from_bytes(bytes: &[u8]) -> Result<$name, $crate::CodecError> {
                let read = $crate::codec::claimed(bytes)?.min($size);
                let mut whole = [0; $size];
                whole[..read].copy_from_slice(&bytes[..read]);
                Ok($name { size: $size, ..<$name as $crate::codec::Field>::get(&whole) })
            }
        }

        impl $name {
            /// All zero but the size.
            pub const ZERO: $name = $name { size: $size, ..<$name as $crate::codec::Field>::ZERO };
        }
    };
}
pub(crate) use wire;

// A struct in memory must be its own bytes, or native calls and pipes would differ.
const _: () = assert!(cfg!(target_endian = "little"));
const _: () = assert!(offset_of!(crate::Info, pv_len) + 4 == crate::Info::SIZE);

/// Reads a struct its caller passed by pointer.
///
/// # Errors
/// When the size it claims is below 4.
///
/// # Safety
/// `from` points to as many readable bytes as the struct's first four claim, and at least four.
///
/// ```
/// use tengen_abi::{Limits, read};
/// let limits = Limits { depth: 9, ..Limits::default() };
/// // SAFETY: the pointer comes from a reference to a whole struct.
/// assert_eq!(unsafe { read(&raw const limits) }, Ok(limits));
/// ```
pub unsafe fn read<T: Wire>(from: *const T) -> Result<T, CodecError> {
    // SAFETY: four bytes are readable by this function's contract, and u8 has no alignment.
    let head: &[u8; 4] = unsafe { &*from.cast() };
    let size = u32::from_le_bytes(*head);
    if size < 4 {
        return Err(CodecError::TooSmall { size });
    }
    // What lies beyond the known fields is left unread, so the claim is cut before it is used.
    let read = (size as usize).min(T::SIZE);
    let mut whole = T::from_bytes(&[4, 0, 0, 0])?.to_bytes();
    // SAFETY: `read` bytes are readable by this function's contract, and fit `whole`.
    let bytes = unsafe { core::slice::from_raw_parts(from.cast::<u8>(), read) };
    whole.as_mut()[4..read].copy_from_slice(&bytes[4..]);
    T::from_bytes(whole.as_ref())
}

/// Writes a struct into one its caller lent, no further than the capacity that one claims in its
/// `size`, and puts the number of bytes written there.
///
/// # Errors
/// When the capacity is below `least` bytes; nothing is written then.
///
/// # Safety
/// `to` points to as many writable bytes as the struct's first four claim, and at least four.
///
/// ```
/// use tengen_abi::{MoveCode, Reply, write};
/// let mut there = Reply::default();
/// let reply = Reply { mv: MoveCode::xy(7, 7), ..Reply::default() };
/// // SAFETY: the pointer comes from a reference to a struct whose size is set.
/// assert_eq!(unsafe { write(&raw mut there, &reply, 12) }, Ok(()));
/// assert_eq!(there.mv, reply.mv);
/// ```
pub unsafe fn write<T: Wire>(to: *mut T, value: &T, least: usize) -> Result<(), CodecError> {
    // SAFETY: four bytes are readable by this function's contract, and u8 has no alignment.
    let capacity = u32::from_le_bytes(unsafe { *to.cast::<[u8; 4]>() });
    let length = (capacity as usize).min(T::SIZE);
    if length < least.max(4) {
        return Err(CodecError::TooSmall { size: capacity });
    }
    let mut bytes = value.to_bytes();
    let bytes = bytes.as_mut();
    // At most the size of a struct, which is below 100.
    bytes[..4].copy_from_slice(&(length as u32).to_le_bytes());
    // SAFETY: `length` is within the capacity claimed and within `bytes`, which is our own.
    unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), to.cast::<u8>(), length) };
    Ok(())
}
