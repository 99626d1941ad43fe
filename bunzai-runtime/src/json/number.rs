use std::cmp::Ordering;
use std::fmt;

/// A number of the model: an integer of `i64` or `u64`, or a double that is no such integer.
///
/// Equality is by value: `2.0` is `2`, `-0` is `0`. There is no NaN and no infinity.
///
/// ```
/// use bunzai_runtime::Number;
///
/// assert_eq!(Number::from_f64(2.0), Some(Number::from(2)));
/// assert_eq!(Number::from(u64::MAX).to_string(), "18446744073709551615");
/// assert_eq!(Number::from_f64(f64::NAN), None);
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Number(Repr);

/// Each value has one representation, so that the derived equality is equality of value.
#[derive(Clone, Copy, PartialEq)]
enum Repr {
    /// Below zero.
    Negative(i64),
    Natural(u64),
    /// Finite, and not an integer of the two ranges above.
    Double(f64),
}

/// 2^63 and 2^64 as doubles, both exact.
const TWO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_64: f64 = 18_446_744_073_709_551_616.0;

impl Number {
    /// The number itself, or the limit that it passes.
    pub(crate) fn between(self, min: Self, max: Self) -> Self {
        if self < min {
            min
        } else if self > max {
            max
        } else {
            self
        }
    }

    /// Zero.
    pub const ZERO: Self = Self(Repr::Natural(0));

    /// The number of an integer; usable in constants.
    pub const fn integer(value: i64) -> Self {
        if value < 0 { Self(Repr::Negative(value)) } else { Self(Repr::Natural(value as u64)) }
    }

    /// The number of a natural; usable in constants.
    pub const fn natural(value: u64) -> Self {
        Self(Repr::Natural(value))
    }

    /// The number of a finite double that is no integer; usable in constants.
    ///
    /// For a value that might be an integer or not finite use [`Number::from_f64`].
    #[doc(hidden)]
    pub const fn double(value: f64) -> Self {
        Self(Repr::Double(value))
    }

    /// The number of a double, or nothing for NaN and the infinities.
    pub fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        Some(if value.fract() != 0.0 || !(-TWO_63..TWO_64).contains(&value) {
            Self(Repr::Double(value))
        } else if value < 0.0 {
            Self(Repr::Negative(value as i64))
        } else {
            Self(Repr::Natural(value as u64))
        })
    }

    /// Reads the text of a JSON number; nothing when it is too large for a double.
    pub(super) fn parse(text: &str, integer: bool) -> Option<Self> {
        if integer {
            if let Ok(n) = text.parse::<u64>() {
                return Some(Self(Repr::Natural(n)));
            }
            if let Ok(n) = text.parse::<i64>() {
                return Some(n.into());
            }
        }
        Self::from_f64(text.parse().ok()?)
    }

    /// The nearest double.
    pub fn as_f64(self) -> f64 {
        match self.0 {
            Repr::Negative(n) => n as f64,
            Repr::Natural(n) => n as f64,
            Repr::Double(n) => n,
        }
    }

    /// The value as an integer, if it is one that fits.
    pub fn as_i64(self) -> Option<i64> {
        match self.0 {
            Repr::Negative(n) => Some(n),
            Repr::Natural(n) => i64::try_from(n).ok(),
            Repr::Double(_) => None,
        }
    }

    /// The value as a natural number, if it is one that fits.
    pub fn as_u64(self) -> Option<u64> {
        match self.0 {
            Repr::Natural(n) => Some(n),
            Repr::Negative(_) | Repr::Double(_) => None,
        }
    }

    /// The order of two numbers, by value. It is total: a list can be sorted by it.
    pub fn total_cmp(self, other: Self) -> Ordering {
        // Large integers share the nearest double with others, and with 2^64, which is a double only.
        self.as_f64().total_cmp(&other.as_f64()).then_with(|| self.whole().cmp(&other.whole()))
    }

    /// The value without its fraction, as far as there is room for it.
    fn whole(self) -> i128 {
        match self.0 {
            Repr::Negative(n) => n.into(),
            Repr::Natural(n) => n.into(),
            Repr::Double(n) => n as i128,
        }
    }

    /// Whether the value is a whole number from `min` to `max`.
    pub const fn is_integer_between(self, min: i64, max: u64) -> bool {
        match self.0 {
            Repr::Negative(n) => n >= min,
            Repr::Natural(n) => n <= max && (min < 0 || n >= min as u64),
            Repr::Double(_) => false,
        }
    }

    /// Whether the value is an integer of `i64` or `u64`.
    pub fn is_integer(self) -> bool {
        !matches!(self.0, Repr::Double(_))
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::ZERO
    }
}

impl fmt::Display for Number {
    /// Writes JSON: the shortest text that reads back the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Negative(n) => write!(f, "{n}"),
            Repr::Natural(n) => write!(f, "{n}"),
            Repr::Double(n) => f.write_str(&serde_json::to_string(&n).map_err(|_| fmt::Error)?),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.total_cmp(*other))
    }
}

macro_rules! from_integers {
    ($($int:ty as $wide:ty),*) => {
        $(impl From<$int> for Number {
            fn from(value: $int) -> Self {
                <$wide>::from(value).into()
            }
        })*
    };
}

from_integers!(i8 as i64, i16 as i64, i32 as i64, u8 as u64, u16 as u64, u32 as u64);

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::integer(value)
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self::natural(value)
    }
}

impl TryFrom<f64> for Number {
    type Error = NotFinite;

    fn try_from(value: f64) -> Result<Self, NotFinite> {
        Self::from_f64(value).ok_or(NotFinite)
    }
}

/// A double that is NaN or infinite is no [`Number`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotFinite;

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a finite number")
    }
}

impl std::error::Error for NotFinite {}

impl From<Number> for serde_json::Number {
    fn from(value: Number) -> Self {
        match value.0 {
            Repr::Negative(n) => n.into(),
            Repr::Natural(n) => n.into(),
            // A finite double is always accepted; zero only keeps the match total.
            Repr::Double(n) => serde_json::Number::from_f64(n).unwrap_or_else(|| 0.into()),
        }
    }
}

impl From<&serde_json::Number> for Number {
    fn from(value: &serde_json::Number) -> Self {
        if let Some(n) = value.as_u64() {
            n.into()
        } else if let Some(n) = value.as_i64() {
            n.into()
        } else {
            value.as_f64().and_then(Self::from_f64).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, TWO_64};

    #[test]
    fn equality_is_by_value() {
        let n = |text: &str| Number::parse(text, text.bytes().all(|b| b.is_ascii_digit() || b == b'-'));
        assert_eq!(n("2.0"), n("2"));
        assert_eq!(n("-0"), n("0"));
        assert_eq!(n("-0.0"), n("0"));
        assert_eq!(n("1e2"), n("100"));
        assert_eq!(n("9223372036854775808.0"), n("9223372036854775808"));
        assert_ne!(n("9007199254740993"), n("9007199254740992"));
        assert_ne!(n("18446744073709551615"), n("18446744073709551616"));
        assert_eq!(n("-9223372036854775808").and_then(Number::as_i64), Some(i64::MIN));
        assert_eq!(n("1e400"), None);
    }

    #[test]
    fn order_is_by_value_across_representations() {
        let n = |v: f64| Number::from_f64(v).unwrap();
        assert!(n(-1.0) < n(0.0) && n(0.5) < n(1.0) && Number::from(u64::MAX) > n(1.0));
        assert!(Number::from(u64::MAX) > Number::from(u64::MAX - 1));
        // All three have the same nearest double.
        assert!(n(TWO_64) > Number::from(u64::MAX) && n(TWO_64) > Number::from(u64::MAX - 1));
        assert!(Number::from(i64::MIN) < Number::from(i64::MIN + 1) && n(-1e300) < Number::from(i64::MIN));
    }
}
