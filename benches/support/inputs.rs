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

/// A Marinara lorebook, compact, as its API exports it.
pub(crate) fn lorebook(entries: usize) -> String {
    let mut r = Random(entries as u64 + 5);
    let mut text = String::from(
        r#"{"type":"marinara_lorebook","version":1,"exportedAt":"2026-05-01T12:00:00.000Z","data":{"lorebook":{"id":"lb-1","name":"Fenland Almanac","description":"Reference for the fens.","category":"world","imagePath":null,"scanDepth":2,"tokenBudget":2048,"entryLimit":100,"recursiveScanning":true,"maxRecursionDepth":3,"excludeFromVectorization":false,"characterId":null,"personaId":null,"chatId":null,"isGlobal":false,"enabled":true,"scope":{"mode":"all","chatIds":[]},"tags":["fen"],"generatedBy":"user","sourceAgentId":null,"createdAt":"2026-04-01T00:00:00.000Z","updatedAt":"2026-04-01T00:00:00.000Z","characterIds":[],"personaIds":[]},"entries":["#,
    );
    for n in 0..entries {
        if n > 0 {
            text.push(',');
        }
        let length = 200 + r.below(3800) as usize;
        let (content, about) = (prose(&mut r, length), prose(&mut r, 40));
        let keys: Vec<String> = (0..1 + r.below(4)).map(|_| format!("\"{}\"", r.pick(&WORDS))).collect();
        let seconds = if r.chance(20) { r#""oath","river""# } else { "" };
        let _ = write!(
            text,
            r#"{{"id":"ent-{n:06}","lorebookId":"lb-1","folderId":{},"name":"Entry {n}","content":"{content}","description":"{about}","keys":[{}],"secondaryKeys":[{seconds}],"enabled":{},"constant":{},"selective":false,"selectiveLogic":"and","probability":null,"scanDepth":null,"matchWholeWords":false,"caseSensitive":false,"useRegex":false,"characterFilterMode":"any","characterFilterIds":[],"characterTagFilterMode":"any","characterTagFilters":[],"generationTriggerFilterMode":"any","generationTriggerFilters":[],"additionalMatchingSources":[],"position":{},"depth":4,"order":{},"role":"system","sticky":null,"cooldown":null,"delay":null,"ephemeral":null,"group":"","groupWeight":null,"locked":false,"tag":"faction","relationships":{{}},"dynamicState":{{}},"activationConditions":[],"schedule":null,"preventRecursion":false,"excludeRecursion":false,"delayUntilRecursion":false,"excludeFromVectorization":false,"embedding":null,"createdAt":"2026-04-01T00:00:00.000Z","updatedAt":"2026-04-01T00:00:00.000Z"}}"#,
            if r.chance(60) { r#""fol-1""# } else { "null" },
            keys.join(","),
            r.chance(95),
            r.chance(10),
            r.below(3),
            r.below(200),
        );
    }
    text.push_str(r#"],"folders":[{"id":"fol-1","lorebookId":"lb-1","name":"Places","enabled":true,"parentFolderId":null,"order":0}]}}"#);
    text
}

/// A Marinara preset: rows, with samplers and marker settings as JSON text.
pub(crate) fn preset(sections: usize) -> String {
    let mut r = Random(sections as u64 + 3);
    let order: Vec<String> = (0..sections).map(|n| format!("\\\"sec-{n:06}\\\"")).collect();
    let mut text = format!(
        r#"{{"type":"marinara_preset","version":1,"exportedAt":"2026-05-01T12:00:00.000Z","data":{{"preset":{{"id":"pst-1","name":"Harbour Preset","description":"Plain base.","sectionOrder":"[{}]","groupOrder":"[]","variableGroups":"[]","variableValues":"{{}}","parameters":"{{\"temperature\":1,\"topP\":0.9,\"topK\":0,\"maxTokens\":4096,\"maxContext\":64000,\"reasoningEffort\":\"high\",\"squashSystemMessages\":true}}","wrapFormat":"xml","defaultChoices":"{{}}","isDefault":"false","author":"Someone"}},"sections":["#,
        order.join(","),
    );
    for n in 0..sections {
        if n > 0 {
            text.push(',');
        }
        let length = 100 + r.below(1500) as usize;
        let content = prose(&mut r, length);
        let marker = r.chance(15);
        let _ = write!(
            text,
            r#"{{"id":"sec-{n:06}","presetId":"pst-1","identifier":"section_{n}","name":"Block {n}","content":"{content}","role":"{}","enabled":"{}","isMarker":"{marker}","groupId":null,"markerConfig":{},"injectionPosition":"ordered","injectionDepth":0,"injectionOrder":100,"wrapInXml":"false","xmlTagName":"","forbidOverrides":"false"}}"#,
            r.pick(&["system", "user", "assistant"]),
            r.chance(80),
            if marker { r#""{\"type\":\"chat_history\"}""# } else { "null" },
        );
    }
    text.push_str(r#"],"groups":[],"choiceBlocks":[]}}"#);
    text
}

/// A SillyTavern world info book: entries keyed by number.
pub(crate) fn world_info(entries: usize) -> String {
    let mut r = Random(entries as u64 + 17);
    let mut text = String::from(r#"{"entries":{"#);
    for n in 0..entries {
        if n > 0 {
            text.push(',');
        }
        let length = 200 + r.below(3800) as usize;
        let content = prose(&mut r, length);
        let keys: Vec<String> = (0..1 + r.below(4)).map(|_| format!("\"{}\"", r.pick(&WORDS))).collect();
        let seconds = if r.chance(20) { r#""oath","river""# } else { "" };
        let _ = write!(
            text,
            r#""{n}":{{"uid":{n},"key":[{}],"keysecondary":[{seconds}],"comment":"Entry {n}","content":"{content}","constant":{},"vectorized":false,"selective":true,"selectiveLogic":{},"addMemo":true,"order":{},"position":{},"disable":{},"ignoreBudget":false,"excludeRecursion":false,"preventRecursion":false,"matchPersonaDescription":false,"matchCharacterDescription":false,"matchCharacterPersonality":false,"matchCharacterDepthPrompt":false,"matchScenario":false,"matchCreatorNotes":false,"delayUntilRecursion":0,"probability":100,"useProbability":true,"depth":4,"outletName":"","group":"","groupOverride":false,"groupWeight":100,"scanDepth":null,"caseSensitive":null,"matchWholeWords":null,"useGroupScoring":null,"automationId":"","role":0,"sticky":null,"cooldown":null,"delay":null,"triggers":[],"displayIndex":{n},"characterFilter":{{"isExclude":false,"names":[],"tags":[]}}}}"#,
            keys.join(","),
            r.chance(10),
            r.below(4),
            r.below(200),
            r.below(5),
            r.chance(5),
        );
    }
    text.push_str("}}");
    text
}

/// A SillyTavern preset: prompts of which every tenth opens a group, and the list that orders them.
pub(crate) fn prompts(count: usize) -> String {
    let mut r = Random(count as u64 + 23);
    let mut text = String::from(
        r#"{"chat_completion_source":"openai","temperature":1,"frequency_penalty":0,"presence_penalty":0,"top_p":0.95,"top_k":0,"openai_max_context":64000,"openai_max_tokens":4096,"stream_openai":true,"squash_system_messages":true,"prompts":["#,
    );
    for n in 0..count {
        if n > 0 {
            text.push(',');
        }
        let length = 100 + r.below(1500) as usize;
        let (content, role) = (prose(&mut r, length), r.pick(&["system", "user", "assistant"]));
        let (name, content) =
            if n % 10 == 0 { (format!("===Part {n}==="), "") } else { (format!("Block {n}"), &*content) };
        let _ = write!(
            text,
            r#"{{"identifier":"block-{n:06}","name":"{name}","role":"{role}","content":"{content}","system_prompt":false,"marker":false,"injection_position":0,"injection_depth":4,"injection_order":100,"injection_trigger":[],"forbid_overrides":false,"enabled":true}}"#,
        );
    }
    let order: Vec<String> =
        (0..count).map(|n| format!(r#"{{"identifier":"block-{n:06}","enabled":{}}}"#, r.chance(80))).collect();
    let _ = write!(
        text,
        r#"],"prompt_order":[{{"character_id":100001,"order":[{}]}}],"extensions":{{}}}}"#,
        order.join(",")
    );
    text
}
