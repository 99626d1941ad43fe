//! The name of a file that is written into a folder: it comes from the content, and content is not
//! to be trusted.

use serde_json::json;

use crate::folder::Folder;

/// The files that rules of a name are written to, in a folder inside the folder.
fn files_of_rules(name: &str) -> Vec<String> {
    let folder = Folder::new();
    let entity = json!({
        "schemaVersion": "1", "kind": "regex", "id": "x",
        "body": { "name": name, "rules": [{
            "id": "a", "label": "", "find": "", "flags": "", "replace": "", "phases": ["input"], "enabled": true,
            "sortOrder": 0 }] }
    });
    folder.write("in/x.bunzai.json", entity.to_string());
    folder.write("out/here/.keep", "");
    folder.done(["convert", "in/x.bunzai.json", "out/here", "--to", "marinara-regex"]);
    let names = folder.names().into_iter();
    let written: Vec<String> =
        names.filter(|name| !matches!(name.as_str(), "in/x.bunzai.json" | "out/here/.keep")).collect();
    assert_eq!(written.len(), 1, "{name:?}: {written:?}");
    written
}

#[test]
fn a_name_is_kept_where_it_can_be_one() {
    assert_eq!(files_of_rules("Harbour Filters"), ["out/here/Harbour Filters.json"]);
    assert_eq!(files_of_rules("灯台の規則"), ["out/here/灯台の規則.json"]);
    assert_eq!(files_of_rules("v1.2"), ["out/here/v1.2.json"]);
}

#[test]
fn no_name_leads_out_of_the_folder() {
    for name in ["../../evil", "/etc/evil", "a/b", "..", ".", "", "  ", "\u{0}", "C:\\evil", "-"] {
        let written = files_of_rules(name).remove(0);
        let file = written.strip_prefix("out/here/").unwrap_or_else(|| panic!("{name:?} is written to {written}"));
        assert!(!file.contains(['/', '\\', ':', '\u{0}']) && !file.starts_with('.'), "{name:?}: {file}");
    }
}

#[test]
fn a_name_of_a_device_gets_another() {
    for name in ["CON", "nul", "Com1", "aux.txt"] {
        let written = files_of_rules(name).remove(0);
        let stem = written.trim_start_matches("out/here/").split('.').next().unwrap().to_lowercase();
        assert!(!["con", "nul", "com1", "aux"].contains(&stem.as_str()), "{name}: {written}");
    }
}

#[test]
fn a_name_longer_than_a_file_system_allows_is_cut() {
    for name in ["a".repeat(400), "水".repeat(130), "\u{1f30a}".repeat(130)] {
        let written = files_of_rules(&name).remove(0);
        assert!(written.len() - "out/here/".len() <= 255, "{written}");
    }
}

#[test]
fn a_native_file_is_named_after_its_id() {
    let folder = Folder::new();
    folder.write("p.json", r#"{"id":"p","name":"../Élodie O'Brien/","description":"","personality":"","boxColor":""}"#);
    folder.write("out/.keep", "");
    folder.done(["convert", "p.json", "out", "--to", "bunzai"]);
    assert!(folder.names().contains(&"out/élodie-o-brien.bunzai.json".to_owned()), "{:?}", folder.names());
}

#[test]
fn an_id_that_someone_wrote_does_not_lead_out_of_the_folder_either() {
    for id in ["../../evil", "/evil", "a/b", ".."] {
        let folder = Folder::new();
        let entity =
            json!({ "schemaVersion": "1", "kind": "persona", "id": id, "body": { "name": "N", "content": "" } });
        folder.write("in/x.bunzai.json", entity.to_string());
        folder.write("out/here/.keep", "");
        for target in ["bunzai", "marinara-persona"] {
            let before = folder.names();
            let ran = folder.run(["convert", "in/x.bunzai.json", "out/here", "--to", target]);
            let written: Vec<String> = folder.names().into_iter().filter(|name| !before.contains(name)).collect();
            let stays = |name: &String| name.strip_prefix("out/here/").is_some_and(|file| !file.contains('/'));
            assert!(written.iter().all(stays), "{id}, {target}: {written:?}");
            assert_eq!((ran.code, written.len()), (0, 1), "{id}, {target}: {ran:?}");
        }
    }
}
