//! A study as files: the record, one CSV a table with a dictionary of their columns, one PNG and SVG a
//! figure. Everything is written under temporary names first, then renamed, the record last: a study
//! appears whole or not at all, and nothing of an older one stays beside it.

use super::Failure;
use super::progress::Watch;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use uuidcap::document::Document;
use uuidcap::error::printable;
use uuidcap::question::Question;
use uuidcap::record::Record;
use uuidcap::render;

/// Ends of the names of files that a study has.
const ENDS: [&str; 3] = ["csv", "svg", "png"];

/// Whether a study can be written there; nothing stays behind.
pub(super) fn check(directory: &Path) -> Result<(), Failure> {
    let mut made = Vec::new();
    let tried = create(directory, &mut made).and_then(|()| temporary(directory, &|_| Ok(())).map(drop));
    for folder in made.iter().rev() {
        // One that somebody else has used meanwhile is not empty and stays.
        let _ = fs::remove_dir(folder);
    }
    tried.map_err(|error| failure(directory, error))
}

/// Creates what is missing of a path, part by part, and tells what that was: nothing that was there before.
fn create(directory: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut path = PathBuf::new();
    for part in directory.components() {
        path.push(part);
        match fs::create_dir(&path) {
            Ok(()) => made.push(path.clone()),
            Err(_) if path.is_dir() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn failure(directory: &Path, error: io::Error) -> Failure {
    let shown = printable(&directory.to_string_lossy());
    Failure::System(format!("writing the study to {shown} (--out)"), error)
}

/// Writes the study and says how many files it has.
pub(super) fn write<Q: Question, A: Serialize>(
    directory: &Path,
    record: &Record<'_, Q, A>,
    document: &Document,
    watch: &Watch,
) -> Result<usize, Failure> {
    let failed = |error| failure(directory, error);
    fs::create_dir_all(directory).map_err(failed)?;
    // Two studies into one folder wait for each other. Where a folder cannot be locked, they hope.
    let folder = File::open(directory).ok();
    let _ = folder.as_ref().map(File::lock);
    let staged = stage(directory, record, document, watch, &failed)?;
    let older = directory.join(format!("{}.json", Q::VERB)).is_file();
    for (name, _) in &staged {
        if directory.join(name).is_dir() {
            let reason = io::Error::other(format!("{name} is a folder there; move it or name another --out"));
            return Err(failed(reason));
        }
    }
    let names: Vec<String> = staged.iter().map(|(name, _)| name.clone()).collect();
    for (name, file) in staged {
        file.persist(directory.join(name)).map_err(|error| failed(error.error))?;
    }
    if older {
        remove_older(directory, document, &names).map_err(failed)?;
    }
    Ok(names.len())
}

/// Every file under a temporary name, the record last.
fn stage<Q: Question, A: Serialize>(
    directory: &Path,
    record: &Record<'_, Q, A>,
    document: &Document,
    watch: &Watch,
    failed: &dyn Fn(io::Error) -> Failure,
) -> Result<Vec<(String, NamedTempFile)>, Failure> {
    let mut files = Vec::new();
    let mut add = |name: String, content: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        if watch.interrupted() {
            return Err(Failure::Interrupted);
        }
        files.push((name, temporary(directory, content).map_err(failed)?));
        Ok(())
    };
    for table in document.tables.iter().filter(|table| table.is_kept()) {
        add(format!("{}.csv", table.name), &|sink| render::csv::write(table, sink))?;
    }
    #[cfg(feature = "plot")]
    for figure in &document.figures {
        let drawn = render::plot::draw(figure)?;
        let (svg, png) = (drawn.svg(), drawn.png()?);
        add(format!("{}.svg", figure.name), &|sink| sink.write_all(svg.as_bytes()))?;
        add(format!("{}.png", figure.name), &|sink| sink.write_all(&png))?;
    }
    let dictionary = render::datapackage::to_string(Q::VERB, document)?;
    add("datapackage.json".to_owned(), &|sink| sink.write_all(dictionary.as_bytes()))?;
    add(format!("{}.json", Q::VERB), &|sink| record.write(sink))?;
    Ok(files)
}

/// A file under a temporary name, complete and on the disk; it goes away unless it is renamed.
fn temporary(
    directory: &Path,
    content: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".uuidcap-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any other new file: the process' umask decides, not the privacy of a temporary one.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory)?;
    let mut buffered = BufWriter::new(&mut file);
    content(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    file.as_file().sync_all()?;
    Ok(file)
}

/// Takes away what an older study of this verb left that this one does not have.
fn remove_older(directory: &Path, document: &Document, kept: &[String]) -> io::Result<()> {
    for name in document.owned.iter().flat_map(|stem| ENDS.map(|end| format!("{stem}.{end}"))) {
        if kept.contains(&name) {
            continue;
        }
        match fs::remove_file(directory.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_tried_and_nothing_stays_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let entries = || fs::read_dir(folder.path()).expect("a folder").count();
        assert!(check(&folder.path().join("a/b/c")).is_ok() && check(folder.path()).is_ok());
        assert_eq!(entries(), 0);
        fs::write(folder.path().join("file"), "").expect("a file");
        assert!(check(&folder.path().join("file/a")).is_err() && check(&folder.path().join("file")).is_err());
        assert_eq!(entries(), 1);
    }
}
