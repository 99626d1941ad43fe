//! Where the files of a folder go: no two to one place, none through a link, none over what is read.

use std::collections::BTreeSet;

use serde_json::json;

use super::{all, below, item, items, persona, rules, samples};
use crate::folder::{Folder, fixture_names};

#[test]
fn no_two_files_become_one() {
    let folder = Folder::new();
    for name in ["wren.json", "wren.txt", "Wren.json", "wren", "wren-2.json", "mara.bunzai.json/x.json", "mara.json"] {
        folder.write(&format!("in/{name}"), persona(name));
    }
    let ran = folder.done(["convert", "in", "out", "--to", "bunzai", "--report", "out/r.json"]);
    let report = folder.json("out/r.json");
    let names: BTreeSet<_> =
        items(&folder, &report).iter().map(|(name, _)| item(&report, name)["out"].to_string()).collect();
    assert_eq!(names.len(), 7);
    let folded: BTreeSet<_> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(folded.len(), 7, "{names:?}");
    for (name, _) in items(&folder, &report) {
        let item = item(&report, &name);
        assert_eq!(folder.json(item["out"].as_str().unwrap())["body"]["name"], name.strip_prefix("in/").unwrap());
    }
    let numbered = item(&report, "in/wren.txt");
    assert!(numbered["warnings"].to_string().contains("number"), "{numbered}");
    ran.says(&["warning: in/wren.txt: "]);
    assert_eq!(item(&report, "in/mara.json")["out"], "out/mara-2.bunzai.json");
}

#[test]
fn the_report_is_no_file_to_be_replaced() {
    let folder = Folder::new();
    folder.write("in/wren.json", persona("Wren"));
    folder.done(["convert", "in", "out", "--to", "bunzai", "--report", "out/wren.bunzai.json"]);
    let report = folder.json("out/wren.bunzai.json");
    assert_eq!(item(&report, "in/wren.json")["out"], "out/wren-2.bunzai.json");
    for place in ["in/r.json", "in/wren.json", "nowhere/r.json", "out"] {
        folder.refused(1, ["convert", "in", "new", "--to", "bunzai", "--report", place]).says(&[place]);
    }
}

#[test]
fn a_name_that_the_file_carries_decides_what_the_file_is_called() {
    let folder = Folder::new();
    folder.write("in/x.bunzai.json", rules("Evening filters", ""));
    folder.write("in/y.bunzai.json", rules("Evening filters", ""));
    folder.write("in/Rain.bunzai.json", rules("Rain", ""));
    folder.write("in/z.bunzai.json", rules("../../evil", ""));
    let convert = ["convert", "in", "out", "--to", "marinara-regex", "--report", "r.json"];
    folder.done(convert);
    assert_eq!(
        below(&folder, "out/"),
        ["-..-evil.json", "Evening filters-2.json", "Evening filters.json", "Rain.json"]
    );
    let report = folder.json("r.json");
    items(&folder, &report);
    assert_eq!(item(&report, "in/x.bunzai.json")["coerced"], json!([]));
    // With its number it reads back as another name, and that is told.
    for name in ["in/y.bunzai.json", "in/z.bunzai.json"] {
        assert_eq!(item(&report, name)["coerced"][0]["at"], "/body/name", "{report:#}");
    }
    folder.done(["convert", "out", "again", "--to", "bunzai"]);
    assert_eq!(folder.json("again/Evening filters-2.bunzai.json")["body"]["name"], "Evening filters-2");
}

#[test]
fn the_folder_that_is_written_is_not_read() {
    let folder = samples();
    let count = fixture_names().len() + 1;
    assert_eq!(all(&folder.done(["convert", "in", "in/out", "--to", "bunzai"]))[0], count);
    let ran = folder.done(["convert", "in", "./in/a/../out", "--to", "bunzai", "--force"]);
    assert_eq!(all(&ran)[0], count);
    ran.says(&["out was not read"]);
    for same in ["in", "in/a/.."] {
        folder.refused(1, ["convert", "in", same, "--to", "bunzai", "--force"]).says(&["the folder that is read"]);
    }
}

#[test]
fn a_folder_may_be_written_beside_what_is_read_but_never_over_it() {
    let folder = Folder::new();
    folder.write("top/sub/wren.json", persona("Wren"));
    folder.write("top/sub/sub/wren.json", persona("Inner"));
    let ran =
        folder.run(["convert", "top/sub", "top", "--from", "marinara-persona", "--to", "marinara-persona", "--force"]);
    assert_eq!((ran.code, all(&ran)), (1, vec![2, 1, 0, 1, 0]), "{ran:?}");
    assert_eq!((folder.read("top/sub/wren.json"), folder.read("top/wren.json")), (persona("Wren"), persona("Wren")));
}

#[test]
fn hostile_names_lead_nowhere_and_print_nothing() {
    let folder = Folder::new().set("CLICOLOR_FORCE", "1");
    let long = "水".repeat(83);
    let names =
        ["-", "--force", "..json", "...json", "a\\b.json", "CON.json", " .json", "\u{202e}x.json", "$(id).json"];
    for name in names.iter().copied().chain([format!("{long}.json").as_str()]) {
        folder.write(&format!("in/x/{name}"), persona("N"));
    }
    #[cfg(unix)]
    {
        // One that fails, one that is passed over, one that has a warning.
        folder.write("outside", "");
        let evil = "in/x/\u{1b}]0;owned\u{7}\nerror: forged\n";
        folder.write(&format!("{evil}.json"), "{");
        std::os::unix::fs::symlink("../../outside", folder.path(&format!("{evil}.link"))).unwrap();
        folder.write(&format!("{evil}.txt"), persona("N").replace('}', ",\"comment\":5}"));
    }
    let ran = folder.run(["convert", "in", "out", "--to", "bunzai", "--report", "r.json"]);
    items(&folder, &folder.json("r.json"));
    assert!(!ran.err.contains(['\u{7}', '\u{202e}']) && !ran.err.contains("\nerror: forged"), "{ran:?}");
    // The two with a dot before them are hidden.
    assert_eq!(below(&folder, "out/x/").len(), names.len() - 2 + 1 + usize::from(cfg!(unix)), "{ran:?}");
    assert!(
        folder
            .names()
            .iter()
            .all(|name| ["in/", "out/x/", "outside", "r.json"].iter().any(|start| name.starts_with(start)))
    );
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::super::WREN;
    use super::{Folder, all, below, item, items, json, persona, samples};

    #[test]
    fn links_are_followed_to_files_of_the_folder_only() {
        let folder = Folder::new();
        folder.write("in/sub/wren.json", persona("Wren"));
        folder.write("secret.json", persona("Secret"));
        for (to, from) in [
            ("sub/wren.json", "in/same.json"),
            ("../secret.json", "in/out.json"),
            ("..", "in/up"),
            (".", "in/sub/loop"),
            ("gone", "in/dangling.json"),
            ("circle.json", "in/circle.json"),
        ] {
            symlink(to, folder.path(from)).unwrap();
        }
        let ran = folder.run(["convert", "in", "out", "--to", "bunzai", "--report", "r.json"]);
        assert_eq!(ran.code, 1, "{ran:?}");
        let items = items(&folder, &folder.json("r.json"));
        let items: Vec<_> = items.iter().map(|(name, s)| (name.trim_start_matches("in/"), s.as_str())).collect();
        let expected = [
            ("circle.json", "failed"),
            ("dangling.json", "failed"),
            ("out.json", "skipped"),
            ("same.json", "converted"),
            ("sub/loop", "skipped"),
            ("sub/wren.json", "converted"),
            ("up", "skipped"),
        ];
        assert_eq!(items, expected);
        // A link leads to what the first run has written.
        folder.write("in/out/x.json", persona("X"));
        symlink("out/x.json", folder.path("in/x.json")).unwrap();
        let ran = folder.run(["convert", "in", "in/out", "--to", "bunzai", "--force"]);
        ran.says(&["skipped in/x.json: a link to what is written"]);
    }

    #[test]
    fn a_pipe_is_not_waited_for() {
        let folder = samples();
        assert!(std::process::Command::new("mkfifo").arg(folder.path("in/pipe.json")).status().unwrap().success());
        symlink("pipe.json", folder.path("in/to-pipe.json")).unwrap();
        let ran = folder.done(["convert", "in", "out", "--to", "bunzai"]);
        ran.says(&["skipped in/pipe.json: no plain file", "skipped in/to-pipe.json: no plain file"]);
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = Folder::with(&[WREN]);
        folder.write("in/sub/wren.json", persona("Wren"));
        folder.write("in/mara.json", persona("Mara"));
        folder.write("else/where.json", "mine");
        fs::create_dir_all(folder.path("out")).unwrap();
        symlink("../else", folder.path("out/sub")).unwrap();
        symlink("../in/sub/wren.json", folder.path("out/mara.bunzai.json")).unwrap();
        let ran = folder.refused(1, ["convert", "in", "out", "--to", "bunzai", "--force"]);
        ran.says(&["out/sub/wren.bunzai.json: a link", "out/mara.bunzai.json: a link"]);
    }

    #[test]
    fn a_name_that_is_not_utf_8_stays_what_it_is() {
        let folder = Folder::with(&[WREN]);
        fs::create_dir_all(folder.path("in")).unwrap();
        let name =
            |bytes: &'static [u8], folder: &Folder, below: &str| folder.path(below).join(OsStr::from_bytes(bytes));
        fs::copy(folder.path(WREN), name(b"wr\xffen.json", &folder, "in")).unwrap();
        fs::copy(folder.path(WREN), name(b"wr\xfeen.json", &folder, "in")).unwrap();
        let ran = folder.done(["convert", "in", "out", "--to", "bunzai", "--report", "r.json"]);
        assert_eq!(all(&ran)[..2], [2, 2]);
        let outs: Vec<_> = fs::read_dir(folder.path("out")).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert!(outs.iter().any(|out| out.as_bytes() == b"wr\xfeen.bunzai.json"), "{outs:?}");
        folder.done(["convert", "out", "back"]);
        assert_eq!(fs::read(name(b"wr\xfeen.json", &folder, "back")).unwrap(), fs::read(folder.path(WREN)).unwrap());
        assert_eq!(folder.json("r.json")["items"][0]["in"], json!("in/wr\u{fffd}en.json"));
    }

    #[test]
    fn what_may_not_be_read_is_told() {
        let folder = samples();
        folder.write("in/locked/x.json", persona("X"));
        folder.write("in/secret.json", persona("S"));
        fs::set_permissions(folder.path("in/locked"), fs::Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(folder.path("in/secret.json"), fs::Permissions::from_mode(0o000)).unwrap();
        let root = fs::read_dir(folder.path("in/locked")).is_ok();
        let ran = folder.run(["convert", "in", "out", "--to", "bunzai", "--report", "r.json"]);
        fs::set_permissions(folder.path("in/locked"), fs::Permissions::from_mode(0o700)).unwrap();
        let report = folder.json("r.json");
        items(&folder, &report);
        // Nothing is locked for whom the system lets read everything.
        if root {
            assert_eq!(ran.code, 0, "{ran:?}");
        } else {
            assert_eq!(item(&report, "in/locked")["status"], "failed");
            assert_eq!(item(&report, "in/secret.json")["status"], "failed");
            assert!(below(&folder, "out/").len() > 5);
        }
    }
}
