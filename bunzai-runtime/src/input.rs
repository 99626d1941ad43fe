use crate::error::{Error, Result};
use crate::json::line_column;
use crate::limits::Limits;
use crate::native::Native;

/// A document to be read: its text, and what the caller knows of the file it came from.
///
/// ```
/// use bunzai_runtime::Input;
///
/// let input = Input::new(r#"{"name": "Wren"}"#).file_name("personas/wren.json");
/// assert_eq!(input.text()?, r#"{"name": "Wren"}"#);
/// # Ok::<(), bunzai_runtime::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Input {
    data: Data,
    file_name: Option<String>,
    limits: Limits,
}

/// The content of an [`Input`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Data {
    /// Text.
    Text(String),
    /// Bytes, which must be UTF-8.
    Bytes(Vec<u8>),
}

/// A byte order mark, which may stand before a document.
const BOM: char = '\u{feff}';

impl Input {
    /// A document from text or bytes. It is taken by value: the twin keeps it without a copy.
    pub fn new(data: impl Into<Data>) -> Self {
        Self { data: data.into(), file_name: None, limits: Limits::default() }
    }

    /// Says what the file is called, folders included. Formats without a name of their own take
    /// it from there.
    #[must_use]
    pub fn file_name(mut self, name: impl Into<String>) -> Self {
        self.file_name = Some(name.into());
        self
    }

    /// Sets other limits than the default ones.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The text of the document.
    ///
    /// # Errors
    /// When it is too large or not UTF-8.
    pub fn text(&self) -> Result<&str> {
        let size = match &self.data {
            Data::Text(text) => text.len(),
            Data::Bytes(bytes) => bytes.len(),
        };
        let Limits { bytes: limit, native, .. } = self.limits;
        if size > limit.max(native) {
            return Err(Error::TooLarge { size, limit });
        }
        let text = match &self.data {
            Data::Text(text) => text,
            Data::Bytes(bytes) => simdutf8::basic::from_utf8(bytes).map_err(|_| not_utf8(bytes))?,
        };
        if size > limit && (size > native || !Native::claims(text.strip_prefix(BOM).unwrap_or(text))) {
            return Err(Error::TooLarge { size, limit });
        }
        Ok(text)
    }

    /// The text of the document without a byte order mark.
    pub(crate) fn document(&self) -> Result<&str> {
        let text = self.text()?;
        Ok(text.strip_prefix(BOM).unwrap_or(text))
    }

    pub(crate) fn into_parts(self) -> Result<(String, Option<String>, Limits)> {
        // Size and encoding are checked before the bytes are taken apart.
        self.text()?;
        let text = match self.data {
            Data::Text(text) => text,
            Data::Bytes(bytes) => String::from_utf8(bytes).map_err(|error| not_utf8(error.as_bytes()))?,
        };
        Ok((text, self.file_name, self.limits))
    }
}

#[cold]
fn not_utf8(bytes: &[u8]) -> Error {
    let at = match simdutf8::compat::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    };
    let valid = std::str::from_utf8(&bytes[..at]).unwrap_or_default();
    Error::NotUtf8 { at, line: line_column(valid, at).0 }
}

impl From<String> for Data {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Vec<u8>> for Data {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<&[u8]> for Data {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.to_owned())
    }
}

impl<D: Into<Data>> From<D> for Input {
    fn from(data: D) -> Self {
        Self::new(data)
    }
}
