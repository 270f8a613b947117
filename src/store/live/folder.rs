//! A folder that is one run's alone, and that goes with it.
//!
//! A run holds the lock of a file in its folder for as long as it lives; a folder whose lock nobody holds was left by
//! a run that was killed.

use super::{Cleaned, MARK};
use crate::error::{Error, Result, printable};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

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
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if !name.is_some_and(|name| name.starts_with(MARK)) || !path.is_dir() {
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

/// Whether somebody holds its lock. A folder without one was being made or removed: it is nobody's if it is old enough
/// to be found, since between the two steps lies less than a run of `clean`.
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
        let alive = Folder::make(parent.path(), "a").expect("a folder of a run");
        assert!(Folder::make(parent.path(), "a").is_err(), "a second run took the folder of the first");
        fs::create_dir(parent.path().join(format!("{MARK}b"))).expect("what a killed run left");
        fs::write(parent.path().join(format!("{MARK}b")).join(LOCK), "").expect("its lock");
        fs::create_dir(parent.path().join("other")).expect("somebody else's folder");
        let Cleaned { removed, alive: in_use } = clean(parent.path()).expect("what was found");
        assert_eq!(in_use.len(), 1);
        assert_eq!(removed.len(), 1);
        assert!(removed[0].ends_with(&format!("{MARK}b")), "{removed:?}");
        assert_eq!(entries(), 2);
        drop(alive);
        assert_eq!(entries(), 1);
    }
}
