use tengen_rules::{Point, Size};

/// Choices drawn from bytes; zeros once they are used up.
pub(crate) struct ByteChoices<'a>(pub(crate) &'a [u8]);

impl ByteChoices<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// One of the values.
    pub(crate) fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[usize::from(self.byte()) % values.len()]
    }

    /// A board, more often than not of 15.
    pub(crate) fn size(&mut self) -> Size {
        let (width, height) = (self.byte(), self.byte());
        Size::new(width, height).unwrap_or(Size::STANDARD)
    }

    /// A point on the board or a little beyond it.
    pub(crate) fn point(&mut self) -> Point {
        Point::new(self.byte() % 33, self.byte() % 33)
    }
}
