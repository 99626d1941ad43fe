/// What a document may not exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a file of an application.
    pub bytes: usize,
    /// Bytes of a native file, which holds such a file and what was read of it.
    pub native: usize,
    /// Rows of a document, over all its lists.
    pub rows: usize,
    /// Levels of JSON text inside JSON text.
    pub texts: usize,
}

impl Limits {
    /// No limit: for what was read within limits before.
    pub(crate) const NONE: Self = Self { bytes: usize::MAX, native: usize::MAX, rows: usize::MAX, texts: usize::MAX };
}

impl Default for Limits {
    /// 64 MiB (256 MiB of a native file), 1,000,000 rows, 16 levels of text in text.
    fn default() -> Self {
        Self { bytes: 64 << 20, native: 256 << 20, rows: 1_000_000, texts: 16 }
    }
}
