//! Imports point down: a module of one layer uses its own layer's allowed parts and those below.
//!
//! The test reads `src/` as text, so it sees what the compiler allows and the architecture does not.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module with what it may name behind `crate::` (or `uuidcap::` in the binary).
const MAY_USE: [(&str, &[&str]); 15] = [
    ("error", &[]),
    ("math", &["error"]),
    ("units", &["error"]),
    ("question", &[]),
    ("id", &["error", "math", "units", "store"]),
    ("sim", &["error", "math", "units", "question", "id"]),
    ("store", &["error", "math", "units"]),
    ("engine", &["error", "math", "units", "question", "id", "sim", "store"]),
    ("study", &["error", "math", "units", "question", "id", "sim", "store", "engine"]),
    ("document", &["error", "math", "units", "id", "sim", "store", "engine", "study"]),
    ("record", &["error", "question"]),
    ("render", &["error", "math", "units", "document", "record"]),
    (
        "cli",
        &[
            "error", "math", "units", "question", "id", "sim", "store", "engine", "study", "document",
            "record", "render",
        ],
    ),
    ("main", &["cli"]),
    ("lib", &[]),
];

/// Within the machinery, what one room may name of another.
const ROOMS: [(&str, &[&str]); 1] = [("id", &["store::page", "store::record"])];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src is readable") {
        let path = entry.expect("an entry of src").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The module of a file: the first folder below `src`, or the file itself.
fn module(path: &Path) -> String {
    let below = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).expect("below src");
    let first = below.components().next().expect("a name").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// A file without its comments, which may show what a program does that calls it.
fn code(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Paths named behind `crate::` and `uuidcap::`, outside comments; braces are opened.
fn named(text: &str) -> Vec<String> {
    let code = code(text);
    let mut found = Vec::new();
    for root in ["crate::", "uuidcap::"] {
        for (at, _) in code.match_indices(root) {
            let rest = &code[at + root.len()..];
            match rest.strip_prefix('{') {
                None => found.push(path_of(rest)),
                Some(group) => {
                    let mut depth = 1;
                    let end = group.find(|c| {
                        depth += i32::from(c == '{') - i32::from(c == '}');
                        depth == 0
                    });
                    let group = &group[..end.expect("a closed brace")];
                    let mut depth = 0;
                    let parts = group.split(|c| {
                        depth += i32::from(c == '{') - i32::from(c == '}');
                        c == ',' && depth == 0
                    });
                    found.extend(parts.map(str::trim).filter(|part| !part.is_empty()).map(path_of));
                }
            }
        }
    }
    found
}

fn path_of(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':')).collect()
}

fn violations(module: &str, text: &str) -> Vec<String> {
    let allowed = MAY_USE.iter().find(|(name, _)| *name == module).map(|(_, allowed)| *allowed);
    let Some(allowed) = allowed else { return vec![format!("{module} stands in no layer")] };
    let mut found = Vec::new();
    for path in named(text) {
        let first = path.split(':').next().unwrap_or_default();
        if first == module || module == "lib" || first.is_empty() {
            continue;
        }
        if !allowed.contains(&first) {
            found.push(format!("{module} uses {path}"));
        }
        let room = ROOMS.iter().find(|(name, _)| *name == module);
        if room.is_some_and(|(_, only)| first == "store" && !only.iter().any(|room| path.starts_with(room))) {
            found.push(format!("{module} uses {path}"));
        }
    }
    found
}

/// Engines do not call each other: a file below `engine/<verb>` names no other verb.
fn sideways(path: &Path, text: &str) -> Vec<String> {
    let below = path.to_string_lossy().into_owned();
    let Some((_, rest)) = below.split_once("src/engine/") else { return Vec::new() };
    let own = rest.split(['/', '.']).next().unwrap_or_default();
    let calls = named(text).into_iter().filter(|path| path.starts_with("engine::"));
    calls
        .filter(|path| path.split("::").nth(1) != Some(own))
        .map(|path| format!("{own} uses {path}"))
        .collect()
}

#[test]
fn imports_point_down() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 20, "only {} files were read", files.len());
    let mut broken = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).expect("a source file is text");
        let found = violations(&module(file), &text).into_iter().chain(sideways(file, &text));
        broken.extend(found.map(|what| format!("{}: {what}", file.display())));
    }
    assert!(broken.is_empty(), "imports that point up or sideways:\n{}", broken.join("\n"));
}

/// The compiler denies unsafe code unless a file allows it; one may.
#[test]
fn one_file_alone_may_be_unsafe() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let allowed = |file: &PathBuf| {
        fs::read_to_string(file).expect("a source file is text").contains("allow(unsafe_code")
    };
    let found: Vec<PathBuf> = files.into_iter().filter(allowed).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("src/id/generator/vector.rs"), "{found:?}");
}

#[test]
fn an_import_that_points_up_is_found() {
    assert_eq!(violations("store", "use crate::engine::size::Answer;").len(), 1);
    assert_eq!(violations("render", "use crate::{document::Cell, engine::size};").len(), 1);
    assert_eq!(violations("id", "let book = crate::store::price::Book::read(x);").len(), 1);
    assert_eq!(violations("engine", "use crate::store::page::Memo;\n// crate::render").len(), 0);
    assert_eq!(sideways(Path::new("src/engine/size/mod.rs"), "use crate::engine::schemes::Entry;").len(), 1);
}

#[test]
fn engines_and_models_do_not_print_or_read_the_world() {
    let mut files = Vec::new();
    for folder in ["src/math", "src/engine", "src/store", "src/id", "src/sim", "src/study", "src/document"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    // Real stores keep files; clocks are handed to them as to everyone else.
    let live = |file: &Path| file.to_string_lossy().contains("src/store/live");
    for file in files {
        let text = code(&fs::read_to_string(&file).expect("a source file is text"));
        for forbidden in
            ["println!", "eprintln!", "std::fs", "std::env", "Instant::now", "SystemTime::now", "rand::rng()"]
        {
            if forbidden == "std::fs" && live(&file) {
                continue;
            }
            assert!(!text.contains(forbidden), "{} has {forbidden}", file.display());
        }
    }
}
