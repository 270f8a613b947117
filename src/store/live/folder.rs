//! A folder that is one run's alone, and that goes with it.
//!
//! A run holds the lock of a file in its folder for as long as it lives; a folder whose lock nobody holds was left by
//! a run that was killed.

use super::{Cleaned, MARK};
use crate::error::{Error, Result, printable};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Hexadecimal digits of a run.
const DIGITS: usize = 16;
/// The file that is locked.
const LOCK: &str = "alive";

/// A folder `uuidcap_probe_<random>`.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Held while the folder is in use.
    lock: Option<File>,
}

impl Folder {
    /// Makes the folder in `parent`.
    ///
    /// # Errors
    /// Where it exists or cannot be made.
    pub fn make(parent: &Path, run: &str) -> Result<Folder> {
        let path = parent.join(format!("{MARK}{run}"));
        fs::create_dir(&path).map_err(|error| failed("making", &path, &error))?;
        let mut folder = Folder { path, lock: None };
        // From here on the folder goes with the value, whatever fails.
        let lock = File::create_new(folder.path.join(LOCK)).and_then(|file| file.lock().map(|()| file));
        folder.lock = Some(lock.map_err(|error| failed("locking", &folder.path, &error))?);
        Ok(folder)
    }

    /// Where the folder of a run will be, in words.
    pub fn place(parent: &Path, run: &str) -> String {
        format!("files in {}", printable(&parent.join(MARK).to_string_lossy())) + run
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it.
    ///
    /// # Errors
    /// Where something in it cannot be removed.
    pub fn remove(&mut self) -> Result<()> {
        self.lock = None;
        match fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(failed("removing", &self.path, &error))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nobody is left to tell; what stays is found by `clean`.
        let _ = self.remove();
    }
}

/// Removes the folders in `parent` that runs left which no longer live.
///
/// # Errors
/// Where `parent` cannot be read or a folder cannot be removed.
pub fn clean(parent: &Path) -> Result<Cleaned> {
    let entries = fs::read_dir(parent).map_err(|error| failed("reading", parent, &error))?;
    let mut found = Cleaned::default();
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if !is_of_a_run(&path) {
            continue;
        }
        let shown = printable(&path.to_string_lossy());
        if is_alive(&path) {
            found.alive.push(shown);
            continue;
        }
        fs::remove_dir_all(&path).map_err(|error| failed("removing", &path, &error))?;
        found.removed.push(shown);
    }
    Ok(found)
}

/// Whether a folder has the name of a run to its last digit and the file that every run locks; any other is somebody
/// else's, whatever its name begins with.
fn is_of_a_run(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let digits =
        |run: &str| run.len() == DIGITS && run.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let named = name.is_some_and(|name| name.strip_prefix(MARK).is_some_and(digits));
    // Links are followed by none of the two.
    let is_folder = fs::symlink_metadata(path).is_ok_and(|of| of.is_dir());
    named && is_folder && fs::symlink_metadata(path.join(LOCK)).is_ok_and(|of| of.is_file())
}

/// Whether somebody holds its lock.
fn is_alive(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(file) => matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
        Err(_) => false,
    }
}

fn failed(doing: &str, path: &Path, error: &io::Error) -> Error {
    let shown = printable(&path.to_string_lossy());
    Error::data(format!("{doing} the folder {shown}: {error}; name another with --store sqlite:FOLDER"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_with_its_value_and_clean_takes_only_what_nobody_uses() {
        let parent = tempfile::tempdir().expect("a folder");
        let entries = || fs::read_dir(parent.path()).expect("a folder").count();
        let (one, other) = ("0123456789abcdef", "f123456789abcdef");
        let alive = Folder::make(parent.path(), one).expect("a folder of a run");
        assert!(Folder::make(parent.path(), one).is_err(), "a second run took the folder of the first");
        let left = format!("{MARK}{other}");
        fs::create_dir(parent.path().join(&left)).expect("what a killed run left");
        fs::write(parent.path().join(&left).join(LOCK), "").expect("its lock");
        // Somebody else's: by another name, with no lock, and with more digits.
        let others = ["other".to_owned(), format!("{MARK}results"), format!("{MARK}00{other}")];
        for name in &others {
            fs::create_dir(parent.path().join(name)).expect("somebody else's folder");
            fs::write(parent.path().join(name).join("study.csv"), "").expect("somebody else's file");
        }
        let bare = format!("{MARK}a123456789abcdef");
        fs::create_dir(parent.path().join(&bare)).expect("a folder that no run has locked");
        let Cleaned { removed, alive: in_use } = clean(parent.path()).expect("what was found");
        assert_eq!(in_use.len(), 1);
        assert_eq!(removed.len(), 1);
        assert!(removed[0].ends_with(&left), "{removed:?}");
        assert_eq!(entries(), 5);
        drop(alive);
        assert_eq!(entries(), 4);
    }
}
