//! Writing files: all of one or nothing of it, and nothing beside it.

use crate::folder::Folder;

const WREN: &str = "wren.persona.json";

#[test]
fn no_temporary_file_is_left() {
    let folder = Folder::with(&[WREN]);
    folder.done(["convert", WREN, "c.bunzai.json", "--to", "bunzai", "--report", "r.json"]);
    folder.done(["edit", "c.bunzai.json", "/body/name", "Zed"]);
    folder.done(["schema", "--all", "schemas"]);
    let names = folder.names();
    let odd: Vec<&String> = names.iter().filter(|name| name.contains("bunzai-") || name.contains("/.")).collect();
    assert!(odd.is_empty(), "{names:?}");
    assert_eq!(names.iter().filter(|name| !name.contains('/')).count(), 3, "{names:?}");
}

#[test]
fn where_nothing_can_be_written_nothing_is() {
    let folder = Folder::with(&[WREN]);
    folder.write("file", "");
    folder.refused(1, ["convert", WREN, "nowhere/out.json", "--to", "bunzai"]).says(&["nowhere/out.json"]);
    folder.refused(1, ["convert", WREN, "nowhere/", "--to", "bunzai"]);
    folder.refused(1, ["convert", WREN, "file/out.json", "--to", "bunzai"]);
    folder.refused(1, ["schema", "--all", "file"]);
}

#[test]
fn a_refused_edit_leaves_the_file() {
    let folder = Folder::with(&[WREN]);
    folder.done(["convert", WREN, "c.bunzai.json", "--to", "bunzai"]);
    let written = std::fs::metadata(folder.path("c.bunzai.json")).unwrap().modified().unwrap();
    folder.refused(1, ["edit", "c.bunzai.json", "/body/nope", "1"]);
    assert_eq!(std::fs::metadata(folder.path("c.bunzai.json")).unwrap().modified().unwrap(), written);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = Folder::new();
    // More than a pipe holds.
    let text = "a".repeat(1 << 20);
    let persona =
        format!("{{\"id\":\"p\",\"name\":\"N\",\"description\":\"{text}\",\"personality\":\"\",\"boxColor\":\"\"}}");
    folder.write("p.json", persona);
    let mut child = folder.command(["convert", "p.json", "--to", "bunzai"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
    use std::process::{Command, Stdio};

    use super::{Folder, WREN};

    #[test]
    fn what_is_no_plain_file_is_not_replaced_by_one() {
        // A named pipe stands for /dev/null and its like, which are not to be tried out.
        let folder = Folder::with(&[WREN]);
        assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
        let convert = ["convert", WREN, "out.json", "--to", "bunzai", "--force", "--report", "pipe"];
        for arguments in [&convert[..], &["convert", WREN, "pipe", "--to", "bunzai", "--force"]] {
            // Whoever writes into the pipe waits for a reader.
            let mut reader = Command::new("cat").arg(folder.path("pipe")).stdout(Stdio::null()).spawn().unwrap();
            let ran = folder.run(arguments);
            let still = fs::symlink_metadata(folder.path("pipe")).unwrap().file_type().is_fifo();
            // It has ended by itself where something was written.
            let _ = reader.kill();
            reader.wait().unwrap();
            assert!(still, "{arguments:?}: there is a plain file now: {ran:?}");
        }
    }

    fn mode(folder: &Folder, name: &str) -> u32 {
        fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_file_can_be_read_by_whom_the_system_lets() {
        let folder = Folder::with(&[WREN]);
        folder.done(["convert", WREN, "c.bunzai.json", "--to", "bunzai"]);
        folder.write("plain", "");
        assert_eq!(mode(&folder, "c.bunzai.json"), mode(&folder, "plain"));
    }

    #[test]
    fn a_file_that_is_edited_or_replaced_keeps_its_permissions() {
        let folder = Folder::with(&[WREN]);
        folder.done(["convert", WREN, "c.bunzai.json", "--to", "bunzai"]);
        fs::set_permissions(folder.path("c.bunzai.json"), fs::Permissions::from_mode(0o600)).unwrap();
        folder.done(["edit", "c.bunzai.json", "/body/name", "Zed"]);
        assert_eq!(mode(&folder, "c.bunzai.json"), 0o600, "after an edit a private file can be read by others");
        folder.done(["convert", WREN, "c.bunzai.json", "--to", "bunzai", "--force"]);
        assert_eq!(mode(&folder, "c.bunzai.json"), 0o600, "after a conversion a private file can be read by others");
    }

    #[test]
    fn an_edit_through_a_link_edits_the_file_it_leads_to() {
        let folder = Folder::with(&[WREN]);
        folder.done(["convert", WREN, "c.bunzai.json", "--to", "bunzai"]);
        symlink("c.bunzai.json", folder.path("link.bunzai.json")).unwrap();
        folder.done(["edit", "link.bunzai.json", "/body/name", "Zed"]);
        assert!(fs::symlink_metadata(folder.path("link.bunzai.json")).unwrap().is_symlink(), "the link is gone");
        assert_eq!(folder.json("c.bunzai.json")["body"]["name"], "Zed");
    }

    #[test]
    fn a_name_that_is_not_utf_8_can_be_read() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let folder = Folder::with(&[WREN]);
        let name = OsStr::from_bytes(b"wr\xffen.json");
        fs::copy(folder.path(WREN), folder.path("x").with_file_name(name)).unwrap();
        let ran = folder.done([OsStr::new("convert"), name, OsStr::new("--to"), OsStr::new("marinara-persona")]);
        assert_eq!(ran.out, folder.read(WREN));
    }
}

#[test]
fn a_folder_that_is_not_there_is_told_as_such() {
    let folder = Folder::with(&[WREN]);
    folder.refused(1, ["convert", WREN, "nowhere/", "--to", "bunzai"]).says(&["nowhere/: there is no such folder"]);
    assert_eq!(folder.names(), [WREN]);
}
