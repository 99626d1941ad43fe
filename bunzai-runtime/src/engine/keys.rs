//! Looking keys up: which child of a place a member of an object is.

/// The children of one place by key.
///
/// Files mostly have their keys in the order of the map, so the child after the last one found is
/// tried first; the rest is one hash look-up. The keys are those of the map, never of a document,
/// so a small fixed hash is safe.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys {
    children: Vec<(Box<str>, usize)>,
    /// Indexes into `children` plus one; zero is free. The length is a power of two.
    table: Vec<u16>,
}

impl Keys {
    pub(crate) fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    pub(crate) fn get(&self, key: &str) -> Option<usize> {
        let mut hint = 0;
        self.find(key, &mut hint)
    }

    pub(crate) fn add(&mut self, key: &str, place: usize) {
        self.children.push((key.into(), place));
        let size = (self.children.len() * 2).next_power_of_two();
        self.table = vec![0; size];
        for (n, (key, _)) in self.children.iter().enumerate() {
            let mut at = hash(key.as_bytes()) & (size - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = u16::try_from(n + 1).unwrap_or(u16::MAX);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.children.iter().map(|(key, place)| (key.as_ref(), *place))
    }

    /// The place of a key. `hint` is where the caller keeps the place to look first.
    #[inline]
    pub(crate) fn find(&self, key: &str, hint: &mut usize) -> Option<usize> {
        if let Some((next, place)) = self.children.get(*hint)
            && same(next.as_bytes(), key.as_bytes())
        {
            *hint += 1;
            return Some(*place);
        }
        self.look_up(key, hint)
    }

    #[inline(never)]
    fn look_up(&self, key: &str, hint: &mut usize) -> Option<usize> {
        let mask = self.table.len().checked_sub(1)?;
        let mut at = hash(key.as_bytes()) & mask;
        loop {
            let n = usize::from(*self.table.get(at)?).checked_sub(1)?;
            let (found, place) = self.children.get(n)?;
            if same(found.as_bytes(), key.as_bytes()) {
                *hint = n + 1;
                return Some(*place);
            }
            at = (at + 1) & mask;
        }
    }
}

/// Equality of short texts, without the call that the general comparison costs.
#[inline(always)]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let word =
        |text: &[u8], at: usize| text.get(at..at + 8).and_then(|chunk| chunk.try_into().ok()).map(u64::from_le_bytes);
    match a.len() {
        0..8 => a.iter().zip(b).all(|(x, y)| x == y),
        // Two words that overlap cover up to sixteen bytes.
        length @ 8..=16 => word(a, 0) == word(b, 0) && word(a, length - 8) == word(b, length - 8),
        _ => a == b,
    }
}

/// Mixes the length and both ends of a key, which tell the keys of one object apart well enough.
fn hash(key: &[u8]) -> usize {
    let mut head = [0; 8];
    let mut tail = [0; 8];
    let n = key.len().min(8);
    head[..n].copy_from_slice(&key[..n]);
    tail[..n].copy_from_slice(&key[key.len() - n..]);
    let mixed = u64::from_le_bytes(head).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ u64::from_le_bytes(tail).wrapping_add(key.len() as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    (mixed >> 32) as usize ^ (mixed as usize)
}

#[cfg(test)]
mod tests {
    use super::Keys;

    #[test]
    fn every_key_is_found_from_every_hint() {
        let mut keys = Keys::default();
        let names: Vec<String> = (0..70).map(|n| format!("{}key{}", "x".repeat(n % 5), n * 7919)).collect();
        for (n, name) in names.iter().enumerate() {
            keys.add(name, n + 100);
        }
        for start in 0..names.len() + 1 {
            for (n, name) in names.iter().enumerate() {
                let mut hint = start;
                assert_eq!(keys.find(name, &mut hint), Some(n + 100));
                assert_eq!(hint, n + 1);
            }
            assert_eq!(keys.find("unknown", &mut { start }), None);
        }
        assert_eq!(Keys::default().find("x", &mut 0), None);
    }
}
