use std::fmt;

/// A JSON pointer (RFC 6901), built step by step.
///
/// ```
/// use bunzai_runtime::json::Pointer;
///
/// let mut at = Pointer::root();
/// at.push("a/b");
/// at.push_index(3);
/// assert_eq!(at.to_string(), "/a~1b/3");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// Steps to the member of an object.
    pub fn push(&mut self, key: &str) {
        self.0.push('/');
        for c in key.chars() {
            match c {
                '~' => self.0.push_str("~0"),
                '/' => self.0.push_str("~1"),
                c => self.0.push(c),
            }
        }
    }

    /// Steps to an item of a list.
    pub fn push_index(&mut self, index: usize) {
        self.0.push('/');
        self.0.push_str(&index.to_string());
    }

    /// The text of the pointer.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How long the text is; for [`Pointer::cut`].
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Goes back to an earlier length.
    pub(crate) fn cut(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// The index that a step of a pointer is, if it is one: digits without a leading zero.
    pub fn index(step: &str) -> Option<usize> {
        let is_index = step == "0" || !step.starts_with(['0', '+']);
        step.parse().ok().filter(|_| is_index)
    }

    /// The steps of a pointer's text, unescaped; nothing when it is no pointer.
    pub fn steps(text: &str) -> Option<Vec<String>> {
        if text.is_empty() {
            return Some(Vec::new());
        }
        let steps = text.strip_prefix('/')?;
        Some(steps.split('/').map(|s| s.replace("~1", "/").replace("~0", "~")).collect())
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
