//! Names made of what people call things: the id of an entity, and the name of a file.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// The most characters of an id.
const MAX_CHARS: usize = 120;
/// The most bytes of an id: with an extension it must fit into a file name.
const MAX_BYTES: usize = 240;

/// The id of an entity of a kind with this name.
///
/// NFKC, lower case; letters, numbers and the marks on them stay, characters that are not shown
/// are dropped, every run of others becomes one hyphen. At most 120 characters and 240 bytes. A
/// name that leaves nothing gives the name of the kind; a Windows device name gets `-id`.
///
/// ```
/// use bunzai_runtime::canonical_id;
///
/// assert_eq!(canonical_id("  Dr. Mira  Vance ", "persona"), "dr-mira-vance");
/// assert_eq!(canonical_id("हिन्दी", "persona"), "हिन्दी");
/// assert_eq!(canonical_id("🔥", "regex"), "regex");
/// assert_eq!(canonical_id("CON", "regex"), "con-id");
/// ```
pub fn canonical_id(name: &str, kind: &str) -> String {
    let id = slug(name, "-");
    if id.is_empty() {
        return kind.to_owned();
    }
    if is_device(&id) { id + "-id" } else { id }
}

/// The name of a file from the first of some texts that leaves one, such as every system allows:
/// without folders, control characters and Windows device names, at most 240 bytes with its
/// extension.
pub(crate) fn file_name(texts: &[&str], extension: &str) -> String {
    let stem = texts
        .iter()
        .map(|text| file_stem(text, MAX_BYTES.saturating_sub(extension.len() + 1)))
        .find(|stem| !stem.is_empty());
    format!("{}.{extension}", stem.unwrap_or_default())
}

fn file_stem(text: &str, most: usize) -> String {
    let safe = |c: char| if c.is_control() || "<>:\"/\\|?*".contains(c) { '-' } else { c };
    let mut stem = String::new();
    for c in text.trim().trim_start_matches('.').chars().map(safe).take(MAX_CHARS) {
        if stem.len() + c.len_utf8() > most {
            break;
        }
        stem.push(c);
    }
    stem.truncate(stem.trim_end_matches(['.', ' ']).len());
    // Windows takes a device name for the device whatever follows the dot.
    let device = stem.split('.').next().unwrap_or_default().trim_end().len();
    if is_device(&stem[..device].to_lowercase()) {
        stem.insert_str(device, "-id");
    }
    stem
}

/// The words of a text with `sep` between them, as an id has them.
pub(crate) fn slug(text: &str, sep: &str) -> String {
    if text.is_ascii() {
        // Nothing to normalize; most names are such.
        let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let joined = words.collect::<Vec<_>>().join(sep).to_ascii_lowercase();
        if joined.len() <= MAX_CHARS {
            return joined;
        }
    }
    let folded: String = text.nfkc().collect::<String>().to_lowercase();
    let mut out = String::new();
    let mut chars = 0;
    let mut broken = false;
    // Lower-casing can leave a letter and its mark apart that NFKC would join.
    for c in folded.nfkc().filter(|c| !is_ignorable(*c)) {
        let stays = match c.general_category_group() {
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number => true,
            GeneralCategoryGroup::Mark => !broken && !out.is_empty(),
            _ => false,
        };
        if !stays {
            broken = true;
            continue;
        }
        let join = broken && !out.is_empty();
        let (more_chars, more_bytes) = if join { (sep.chars().count(), sep.len()) } else { (0, 0) };
        if chars + more_chars + 1 > MAX_CHARS || out.len() + more_bytes + c.len_utf8() > MAX_BYTES {
            break;
        }
        if join {
            out.push_str(sep);
        }
        out.push(c);
        chars += more_chars + 1;
        broken = false;
    }
    out
}

fn is_device(id: &str) -> bool {
    matches!(id, "con" | "prn" | "aux" | "nul")
        || matches!(id.as_bytes(), [b'c', b'o', b'm', b'1'..=b'9'] | [b'l', b'p', b't', b'1'..=b'9'])
}

/// Unicode's `Default_Ignorable_Code_Point`: joiners, variation selectors, bidirectional controls.
fn is_ignorable(c: char) -> bool {
    matches!(
        u32::from(c),
        0xAD | 0x34F
            | 0x61C
            | 0x115F..=0x1160
            | 0x17B4..=0x17B5
            | 0x180B..=0x180F
            | 0x200B..=0x200F
            | 0x202A..=0x202E
            | 0x2060..=0x206F
            | 0x3164
            | 0xFE00..=0xFE0F
            | 0xFEFF
            | 0xFFA0
            | 0xFFF0..=0xFFF8
            | 0x1BCA0..=0x1BCA3
            | 0x1D173..=0x1D17A
            | 0xE0000..=0xE0FFF
    )
}

#[cfg(test)]
mod tests {
    use super::canonical_id;

    #[test]
    fn names_become_ids() {
        let long = |s: &str, n: usize| s.repeat(n);
        let table = [
            ("Vera", "vera"),
            ("A/B\\C", "a-b-c"),
            ("../etc/passwd", "etc-passwd"),
            ("Élodie O'Brien", "élodie-o-brien"),
            ("e\u{301}lan", "élan"),
            ("q\u{303} x", "q\u{303}-x"),
            ("ＦＵＬＬ　Ｗｉｄｔｈ", "full-width"),
            ("한국 이름", "한국-이름"),
            ("日本語・テスト", "日本語-テスト"),
            ("हिन्दी", "हिन्दी"),
            ("น้ำ", "น\u{e49}\u{e4d}\u{e32}"),
            ("தமிழ்", "தமிழ்"),
            ("😀🔥", "kind"),
            ("❤️ Vera", "vera"),
            ("👩‍🚀 Ada", "ada"),
            ("---", "kind"),
            ("", "kind"),
            ("COM¹", "com1-id"),
            ("COM0", "com0"),
            ("nul.txt", "nul-txt"),
            ("Ⅳ ²", "iv-2"),
            ("½ cup", "1-2-cup"),
            ("İstanbul", "i\u{307}stanbul"),
            ("ΣΟΦΟΣ", "σοφος"),
            ("Straße", "straße"),
            ("𝒜𝓁𝒾𝒸𝑒", "alice"),
            ("foo_bar.baz", "foo-bar-baz"),
            ("a\u{200d}b", "ab"),
            (" \u{301}x", "x"),
        ];
        for (name, id) in table {
            assert_eq!(canonical_id(name, "kind"), id, "{name:?}");
        }
        assert_eq!(canonical_id(&(long("a", 119) + " b"), "kind"), long("a", 119));
        assert_eq!(canonical_id(&long("x", 200), "kind"), long("x", 120));
        assert_eq!(canonical_id(&long("水", 100), "kind"), long("水", 80));
        assert_eq!(canonical_id(&long("𐐀", 130), "kind"), long("𐐨", 60));
    }
}
