//! `bunzai convert DIR OUTDIR`: every file of a folder, one that is wrong or none.

mod places;

use serde_json::{Value, json};

use crate::folder::{Folder, Ran, fixture_names, fixtures};

const WREN: &str = "wren.persona.json";

/// A folder `in` with all sample files, one of them in a folder of its own.
fn samples() -> Folder {
    let folder = Folder::new();
    for name in fixture_names() {
        folder.write(&format!("in/{name}"), std::fs::read(fixtures().join(name)).unwrap());
    }
    folder.write("in/a/b/deep.json", std::fs::read(fixtures().join(WREN)).unwrap());
    folder
}

fn persona(name: &str) -> String {
    format!("{{\"id\":\"p\",\"name\":\"{name}\",\"description\":\"\",\"personality\":\"\",\"boxColor\":\"\"}}")
}

/// A canonical file of rules.
fn rules(name: &str, more: &str) -> String {
    format!(
        "{{\"schemaVersion\":\"1\",\"kind\":\"regex\",\"id\":\"r\",\"body\":{{\"name\":\"{name}\"{more},\"rules\":[{{\
         \"id\":\"a\",\"label\":\"\",\"find\":\"\",\"flags\":\"\",\"replace\":\"\",\"phases\":[\"input\"],\
         \"enabled\":true,\"sortOrder\":0}}]}}}}"
    )
}

/// A canonical persona that Marinara cannot carry whole.
const RICH: &str =
    r#"{"schemaVersion":"1","kind":"persona","id":"mara","body":{"name":"Mara","content":"","traits":["blunt"]}}"#;

/// The names below a folder.
fn below(folder: &Folder, prefix: &str) -> Vec<String> {
    folder.names().iter().filter_map(|name| name.strip_prefix(prefix)).map(str::to_owned).collect()
}

/// The items of a report, each with its status. The counts must add up, and every file that is said
/// to be written must be there.
#[track_caller]
fn items(folder: &Folder, report: &Value) -> Vec<(String, String)> {
    let items = report["items"].as_array().unwrap();
    let status = |item: &Value| item["status"].as_str().unwrap().to_owned();
    let count = |word: &str| items.iter().filter(|item| status(item) == word).count();
    let totals = &report["totals"];
    assert_eq!(totals["items"], items.len());
    let words = ["converted", "lossy", "failed", "skipped"];
    assert_eq!(words.iter().map(|word| count(word)).sum::<usize>(), items.len());
    for word in words {
        assert_eq!(totals[word], count(word), "{word}");
    }
    for item in items {
        let converted = status(item) == "converted";
        assert_eq!(item["out"].is_string(), converted, "{item}");
        assert_eq!(item["error"].is_string(), status(item) == "failed", "{item}");
        assert_eq!(item["reason"].is_string(), ["lossy", "skipped"].contains(&status(item).as_str()), "{item}");
        if let Some(out) = item["out"].as_str() {
            assert!(folder.path(out).is_file(), "{item}");
        }
    }
    items.iter().map(|item| (item["in"].as_str().unwrap().to_owned(), status(item))).collect()
}

fn item<'r>(report: &'r Value, name: &str) -> &'r Value {
    let items = report["items"].as_array().unwrap();
    items.iter().find(|item| item["in"] == name).unwrap_or_else(|| panic!("no {name} in {items:#?}"))
}

/// The last line of the table: how many files, and what became of them.
fn all(ran: &Ran) -> Vec<usize> {
    ran.err.lines().last().unwrap().split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn a_folder_becomes_a_folder_and_comes_back_byte_for_byte() {
    let folder = samples();
    let ran = folder.done(["convert", "in", "out", "--to", "bunzai"]);
    let count = fixture_names().len() + 1;
    assert_eq!((ran.out.as_str(), all(&ran)), ("", vec![count, count, 0, 0, 0]));
    assert_eq!(folder.json("out/a/b/deep.bunzai.json")["kind"], "persona");
    assert_eq!(below(&folder, "out/").len(), count);
    folder.done(["convert", "out", "back"]);
    assert_eq!(below(&folder, "back/"), below(&folder, "in/"));
    for name in below(&folder, "in/") {
        assert_eq!(folder.files()[&format!("back/{name}")], folder.files()[&format!("in/{name}")], "{name}");
    }
}

#[test]
fn each_file_is_converted_as_it_would_be_by_itself() {
    let folder = samples();
    folder.write("in/mara.bunzai.json", RICH);
    folder.run(["convert", "in", "out"]);
    for name in fixture_names() {
        let alone = folder.done(["convert", &format!("in/{name}")]).out;
        let stem = name.strip_suffix(".json").unwrap();
        assert_eq!(folder.read(&format!("out/{stem}.bunzai.json")), alone, "{name}");
    }
    // A native file from nowhere stays one.
    assert_eq!(folder.read("out/mara.bunzai.json"), RICH);
}

#[test]
fn a_file_that_is_wrong_stops_no_other_and_none_goes_unmentioned() {
    let folder = samples();
    folder.write("in/a/broken.json", "{\"id\": ");
    folder.write("in/a/other.json", "{\"colour\": 1}");
    folder.write("in/a/picture.png", b"\x89PNG\r\n\xff\xff");
    folder.write("in/a/README.md", "# Hello");
    folder.write("in/a/nothing.json", "");
    folder.write("in/a/native.bunzai.json", "{\"schemaVersion\":\"1\",\"kind\":\"persona\",\"id\":\"\",\"body\":{}}");
    std::fs::File::create(folder.path("in/a/huge.json")).unwrap().set_len((256 << 20) + 1).unwrap();
    let ran = folder.run(["convert", "in", "out", "--to", "bunzai", "--report", "r.json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let report = folder.json("r.json");
    let items = items(&folder, &report);
    let names: Vec<&str> = items.iter().map(|(name, _)| name.strip_prefix("in/").unwrap()).collect();
    assert_eq!(names, below(&folder, "in/"), "every file, in order");
    let bad =
        ["README.md", "broken.json", "huge.json", "native.bunzai.json", "nothing.json", "other.json", "picture.png"];
    let failed: Vec<&str> = items.iter().filter(|(_, s)| s == "failed").map(|(name, _)| name.as_str()).collect();
    assert_eq!(failed, bad.map(|name| format!("in/a/{name}")));
    assert_eq!(below(&folder, "out/").len(), names.len() - bad.len());
    for name in bad {
        ran.says(&[&format!("error: in/a/{name}: ")]);
    }
    assert!(item(&report, "in/a/broken.json")["error"].as_str().unwrap().contains("line 1, column 7"), "{report:#}");
    assert_eq!(item(&report, "in/a/other.json")["error"], "no format claims this file");
    assert_eq!(all(&ran), [names.len(), names.len() - bad.len(), 0, bad.len(), 0]);
}

#[test]
fn the_report_tells_of_each_file_what_a_single_one_would() {
    let folder = Folder::with(&["harbour-filters.regex.json"]);
    folder.write("in/mara.bunzai.json", RICH);
    folder.write("in/odd.json", persona("N").replace("\"boxColor\":\"\"", "\"boxColor\":\"\",\"comment\":5"));
    let ran = folder.done(["convert", "in", "out", "--to", "marinara-persona", "--report", "r.json"]);
    let report = folder.json("r.json");
    items(&folder, &report);
    folder.done(["convert", "in/mara.bunzai.json", "x.json", "--to", "marinara-persona", "--report", "one.json"]);
    let (one, mara) = (folder.json("one.json"), item(&report, "in/mara.bunzai.json"));
    for key in ["from", "to", "lost", "coerced", "kept", "sealed", "warnings"] {
        assert_eq!(mara[key], one[key], "{key}");
    }
    assert_eq!((&mara["out"], &mara["kind"]), (&json!("out/mara.json"), &json!("persona")));
    assert_eq!(item(&report, "in/odd.json")["warnings"][0]["at"], "/comment");
    assert_eq!(report["totals"]["convertedWithLosses"], 1);
    ran.says(&["in/mara.bunzai.json: 1 lost", "warning: in/odd.json: /comment: expected string"]);
    assert_eq!(all(&ran), [2, 2, 1, 0, 0]);
}

#[test]
fn the_report_may_go_to_standard_output() {
    let folder = samples();
    let ran = folder.done(["convert", "in", "out", "--to", "bunzai", "--report", "-"]);
    assert_eq!(items(&folder, &ran.json()).len(), fixture_names().len() + 1);
}

#[test]
fn a_second_run_replaces_nothing_without_force() {
    let folder = samples();
    folder.done(["convert", "in", "out", "--to", "bunzai"]);
    folder.write("out/a/b/deep.bunzai.json", "mine");
    folder.write("in/new.json", persona("New"));
    let ran = folder.run(["convert", "in", "out", "--to", "bunzai", "--report", "r.json"]);
    let items = items(&folder, &folder.json("r.json"));
    assert_eq!((ran.code, items.iter().filter(|(_, status)| status == "failed").count()), (1, items.len() - 1));
    ran.says(&["in/a/b/deep.json: out/a/b/deep.bunzai.json: it exists already; --force replaces it"]);
    assert_eq!(
        (folder.read("out/a/b/deep.bunzai.json").as_str(), folder.json("out/new.bunzai.json")["id"].as_str()),
        ("mine", Some("new"))
    );
    let names = folder.names();
    folder.done(["convert", "in", "out", "--to", "bunzai", "--force"]);
    assert_eq!(folder.names(), names, "the names are the same each time");
    assert_eq!(folder.json("out/a/b/deep.bunzai.json")["kind"], "persona");
}

#[test]
fn strict_leaves_out_what_would_lose_something() {
    let folder = samples();
    folder.write("in/mara.bunzai.json", RICH);
    folder.write("in/wren.bunzai.json", RICH.replace("\"traits\":[\"blunt\"]", "\"brief\":\"b\"").replace("mara", "w"));
    let convert =
        ["convert", "in", "out", "--strict", "--from", "bunzai", "--to", "marinara-persona", "--report", "r.json"];
    let ran = folder.run(convert);
    // Others have failed too: they are no native files.
    assert_eq!(ran.code, 3, "{ran:?}");
    let report = folder.json("r.json");
    items(&folder, &report);
    assert_eq!(item(&report, "in/mara.bunzai.json")["status"], "lossy");
    assert_eq!(item(&report, "in/mara.bunzai.json")["lost"][0]["at"], "/body/traits");
    assert_eq!(item(&report, "in/wren.bunzai.json")["status"], "converted");
    assert_eq!(below(&folder, "out/"), ["wren.json"]);
    ran.says(&["not written in/mara.bunzai.json: 1 lost", "--strict"]);
}

#[test]
fn strict_is_content_where_nothing_is_lost() {
    let folder = samples();
    folder.done(["convert", "in", "out", "--to", "bunzai", "--strict"]);
    folder.done(["convert", "out", "back", "--strict"]);
}

#[test]
fn what_the_named_format_does_not_claim_is_refused_file_by_file() {
    let folder = samples();
    let convert = ["convert", "in", "out", "--from", "marinara-regex", "--to", "bunzai", "--report", "r.json"];
    assert_eq!(folder.run(convert).code, 1);
    let report = folder.json("r.json");
    let regex = items(&folder, &report).into_iter().filter(|(_, status)| status == "converted").map(|(name, _)| name);
    assert_eq!(regex.collect::<Vec<_>>(), ["in/api-rows.regex.json", "in/harbour-filters.regex.json"]);
    let refused = item(&report, "in/wren.persona.json")["error"].as_str().unwrap();
    assert!(refused.contains("no marinara-regex file"), "{refused}");
}

#[test]
fn a_format_that_is_not_there_is_told_once_and_nothing_is_made() {
    let folder = samples();
    let ran = folder.refused(1, ["convert", "in", "out", "--to", "marinara-persno"]);
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    assert!(!folder.path("out").exists());
}

#[test]
fn a_set_that_is_switched_off_is_passed_over_by_exports() {
    let folder = Folder::new();
    folder.write("in/off.bunzai.json", rules("Off", ",\"enabled\":false"));
    folder.write("in/on.bunzai.json", rules("On", ",\"enabled\":true"));
    folder.write("in/unsaid.bunzai.json", rules("Unsaid", ""));
    // What a profile says counts for its format.
    let profile = "\"profiles\":{\"marinara-regex\":{\"enabled\":false}}";
    let theirs = rules("Theirs", "");
    folder.write("in/theirs.bunzai.json", format!("{},{profile}}}", theirs.strip_suffix('}').unwrap()));
    let ran = folder.done(["convert", "in", "out", "--to", "marinara-regex", "--report", "r.json"]);
    let report = folder.json("r.json");
    items(&folder, &report);
    for name in ["in/off.bunzai.json", "in/theirs.bunzai.json"] {
        assert_eq!(item(&report, name)["status"], "skipped", "{report:#}");
        ran.says(&[&format!("skipped {name}: "), "enabled"]);
    }
    assert_eq!(below(&folder, "out/"), ["On.json", "Unsaid.json"]);
    folder.done(["convert", "in", "copies", "--to", "bunzai"]);
    assert_eq!(folder.read("copies/off.bunzai.json"), folder.read("in/off.bunzai.json"));
    // One file by itself is what someone asked for.
    folder.done(["convert", "in/off.bunzai.json", "off.json", "--to", "marinara-regex"]);
}

#[test]
fn a_folder_needs_a_folder() {
    let folder = samples();
    folder.write("file", "");
    folder.refused(1, ["convert", "in"]).says(&["in: ", "folder"]);
    folder.refused(1, ["convert", "in", "-"]).says(&["in: ", "folder"]);
    folder.refused(1, ["convert", "in", "file"]).says(&["file"]);
    folder.refused(1, ["convert", "nowhere", "out"]).says(&["nowhere"]);
    assert_eq!(folder.read("file"), "");
}

#[test]
fn an_empty_folder_and_hidden_files() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("in/empty")).unwrap();
    let ran = folder.done(["convert", "in", "out", "--report", "r.json"]);
    assert_eq!((all(&ran), &folder.json("r.json")["items"]), (vec![0; 5], &json!([])));
    folder.write("in/.hidden.json", persona("H"));
    folder.write("in/.git/x.json", persona("H"));
    let ran = folder.done(["convert", "in", "out"]);
    assert_eq!(all(&ran)[0], 0);
    ran.says(&["not looked at: 2"]);
    // A folder that is asked for by name is read, whatever it is called.
    assert_eq!(all(&folder.done(["convert", "in/.git", "out"]))[0], 1);
}

#[test]
fn how_many_work_at_once_changes_nothing() {
    let run = |threads: &str| {
        let folder = samples().set("RAYON_NUM_THREADS", threads);
        for n in 0..40 {
            folder.write(&format!("in/many/{n}.json"), if n % 7 == 0 { "{".to_owned() } else { persona("N") });
            folder.write(&format!("in/many/{n}.txt"), persona("N"));
        }
        let ran = folder.run(["convert", "in", "out", "--to", "bunzai", "--report", "r.json"]);
        assert_eq!(ran.code, 1);
        (ran.err, folder.files())
    };
    let one = run("1");
    assert!(one == run("7"));
}

#[test]
fn documents_may_be_nested_as_deeply_as_in_a_single_file() {
    let folder = Folder::new();
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    let more = format!("\"boxColor\":\"\",\"x\":{}", deep(126));
    folder.write("in/sealed.json", persona("N").replace("\"boxColor\":\"\"", &more));
    let extras = format!("\"sortOrder\":0,\"extras\":{{\"x\":{}}}", deep(120));
    folder.write("in/native.bunzai.json", rules("N", "").replace("\"sortOrder\":0", &extras));
    for (name, to) in [("sealed.json", "bunzai"), ("native.bunzai.json", "marinara-regex")] {
        let alone = folder.done(["convert", &format!("in/{name}"), "--to", to]).out;
        folder.run(["convert", "in", to, "--to", to]);
        let written = below(&folder, &format!("{to}/"));
        assert!(written.iter().any(|file| folder.read(&format!("{to}/{file}")) == alone), "{name}: {written:?}");
    }
}

#[test]
fn what_is_no_terminal_sees_no_bar_and_no_temporary_file_stays() {
    let folder = samples();
    let ran = folder.done(["convert", "in", "out", "--to", "bunzai"]);
    assert!(!ran.err.contains(['\r', '\u{1b}', '\u{2588}']) && !ran.err.contains("left"), "{ran:?}");
    assert!(folder.names().iter().all(|name| !name.contains("/.")), "{:?}", folder.names());
}
