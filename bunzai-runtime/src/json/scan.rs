//! Finding the next byte of a string that needs attention, eight bytes at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Marks the bytes of a word that are `"`, `\` or below space. Borrows make a byte above a marked
/// one unreliable, so only the lowest mark may be used.
#[inline(always)]
pub(super) fn marks(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    ((quote.wrapping_sub(ONES) & !quote) | (slash.wrapping_sub(ONES) & !slash) | control) & HIGH
}

#[inline(always)]
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let chunk = bytes.get(at..at + 8)?;
    Some(u64::from_le_bytes(chunk.try_into().ok()?))
}

/// The index of the first `"`, `\` or control byte from `at` on, or the length.
#[inline(always)]
pub(super) fn special(bytes: &[u8], mut at: usize) -> usize {
    while let Some(w) = word(bytes, at) {
        let m = marks(w);
        if m != 0 {
            return at + (m.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&b) = bytes.get(at) {
        if b == b'"' || b == b'\\' || b < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::special;

    #[test]
    fn agrees_with_a_byte_loop_at_every_offset_and_alignment() {
        let mut text: Vec<u8> = (0u8..=255).cycle().take(600).collect();
        text.extend_from_slice(b"plain ascii without anything special in it, forty bytes long or so");
        for start in 0..text.len() {
            let slow = text[start..]
                .iter()
                .position(|b| *b == b'"' || *b == b'\\' || *b < 0x20)
                .map_or(text.len(), |n| start + n);
            assert_eq!(special(&text, start), slow, "from {start}");
        }
    }
}
