//! Inputs for the benchmarks: invented, the same in every run.

use std::fmt::Write as _;

/// A small generator of numbers (xorshift); its state is the seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) % end
    }

    /// True in so many of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of some words.
    pub(crate) fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}

const WORDS: [&str; 24] = [
    "the", "old", "harbour", "keeps", "its", "lamps", "lit", "through", "winter", "and", "no", "one", "asks", "why",
    "tower", "river", "queen", "market", "smoke", "iron", "letter", "seven", "bridge", "quiet",
];
const OTHERS: [&str; 12] =
    ["世界", "物語", "図書館の", "静かな", "夜", "Привет", "замок", "река", "한국어", "이야기", "naïve", "…"];

/// Prose of about so many characters, as JSON string: one escape in forty to fifty bytes.
pub(crate) fn prose(random: &mut Random, length: usize) -> String {
    let foreign = random.chance(20);
    let mut text = String::with_capacity(length * 2);
    while text.len() < length {
        let word = if foreign && random.chance(70) { random.pick(&OTHERS) } else { random.pick(&WORDS) };
        if random.chance(4) {
            let _ = write!(text, "\\\"{word}\\\"");
        } else {
            text.push_str(word);
        }
        text.push_str(match random.below(40) {
            0 => ".\\n",
            1 | 2 => ", ",
            3 => "\\n\\n- ",
            _ => " ",
        });
    }
    text
}

/// A Marinara persona as its API serves it.
pub(crate) fn persona() -> String {
    let mut r = Random(7);
    let (about, character, past) = (prose(&mut r, 900), prose(&mut r, 400), prose(&mut r, 700));
    format!(
        r##"{{"id":"per-1","name":"Wren Aldermoor","comment":"Cartographer of the drowned coast.","description":"{about}","personality":"{character}","scenario":"","backstory":"{past}","appearance":"Weathered coat.","avatarPath":"/api/avatars/file/wren.png","isActive":"true","nameColor":"#2f6f8f","dialogueColor":"#d7a94b","boxColor":"#101820","personaStats":"{{\"enabled\":true,\"bars\":[{{\"name\":\"Stamina\",\"value\":60}}]}}","tags":"[\"coast\"]","createdAt":"2026-04-01T08:00:00.000Z","updatedAt":"2026-04-09T08:00:00.000Z"}}"##
    )
}

/// Marinara regex scripts in native types.
pub(crate) fn regex(rows: usize) -> String {
    let mut r = Random(rows as u64 + 11);
    let mut text = String::from("[");
    for n in 0..rows {
        if n > 0 {
            text.push(',');
        }
        let (find, replace) = (prose(&mut r, 40).replace('\\', "\\\\").replace('"', "\\\""), prose(&mut r, 60));
        let places = r.pick(&[r#"["ai_output"]"#, r#"["user_input","ai_output"]"#, r#"["user_input"]"#]);
        let depth = if r.chance(30) { r.below(9).to_string() } else { "null".into() };
        let _ = write!(
            text,
            r#"{{"id":"rx-{n:06}","name":"Rule {n}","enabled":{},"findRegex":"{find}","replaceString":"{replace}","trimStrings":[],"placement":{places},"flags":"gi","promptOnly":{},"targetCharacterIds":[],"order":{n},"minDepth":null,"maxDepth":{depth},"createdAt":"2026-04-01T08:00:00.000Z","updatedAt":"2026-04-02T08:00:00.000Z","applyMode":"both","characterId":null}}"#,
            r.chance(90),
            r.chance(30),
        );
    }
    text.push(']');
    text
}
