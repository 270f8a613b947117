//! What lies under `reports/` and `notebooks-data/` is what the commands named there write.
//! `UUIDCAP_REPORTS=overwrite cargo test --test reports` writes it anew.

mod command;

use serde_json::Value;
use std::fs;
use std::path::Path;

const LISTS: [&str; 2] = ["reports/README.md", "notebooks-data/README.md"];

/// Every `uuidcap … -o FOLDER` of a list: arguments and folder.
fn studies(list: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(list)).expect("the list is there");
    let commands = text.lines().filter_map(|line| line.strip_prefix("uuidcap "));
    let studies = commands.filter_map(|line| line.split_once(" -o "));
    studies.map(|(arguments, folder)| (arguments.to_owned(), folder.trim().to_owned())).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn studies_are_what_their_commands_write() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all: Vec<_> = LISTS.iter().flat_map(|list| studies(list)).collect();
    assert!(all.len() >= LISTS.len(), "a list names no study");
    for (arguments, folder) in all {
        let kept = root.join(&folder);
        if std::env::var_os("UUIDCAP_REPORTS").is_some_and(|wish| wish == "overwrite") {
            let _ = fs::remove_dir_all(&kept);
            command::stdout(&format!("{arguments} -q -o {}", kept.display()));
        }
        let fresh = tempfile::tempdir().expect("a folder");
        command::stdout(&format!("{arguments} -q -o {}", fresh.path().display()));
        assert_eq!(names(&kept), names(fresh.path()), "{folder}");
        for name in names(&kept) {
            let (old, new) = (fs::read(kept.join(&name)), fs::read(fresh.path().join(&name)));
            let place = format!("{folder}/{name}");
            same(&place, &old.expect("a kept file"), &new.expect("a fresh file"));
        }
    }
}

/// Records but for the circumstances of their run; numbers to 1e-9, since the last digit of a logarithm
/// is the mathematical library's; of figures, that they are there and of one size.
fn same(place: &str, old: &[u8], new: &[u8]) {
    if place.ends_with(".png") {
        // Width and height stand in bytes 16 to 24 of a PNG.
        assert_eq!(old[..24], new[..24], "{place}");
        return;
    }
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    if place.ends_with(".svg") {
        assert_eq!(old.split(' ').count(), new.split(' ').count(), "{place}");
    } else if place.ends_with(".json") && !place.ends_with("/datapackage.json") {
        let read = |text: &str| -> Value { serde_json::from_str(text).expect("a record") };
        let (old, new) = (read(&old), read(&new));
        close(place, &old["question"].to_string(), &new["question"].to_string());
        close(place, &old["answer"].to_string(), &new["answer"].to_string());
    } else {
        close(place, &old, &new);
    }
}

fn close(place: &str, old: &str, new: &str) {
    let cut =
        |text: &str| -> Vec<String> { text.split([',', '\n', ':', '}', ']']).map(str::to_owned).collect() };
    let (old, new) = (cut(old), cut(new));
    assert_eq!(old.len(), new.len(), "{place}: another number of values");
    for (old, new) in old.iter().zip(&new) {
        let near = match (old.parse::<f64>(), new.parse::<f64>()) {
            (Ok(a), Ok(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
            _ => old == new,
        };
        assert!(near, "{place}: {old} was kept, {new} is written");
    }
}
