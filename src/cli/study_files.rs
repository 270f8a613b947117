//! A study as files: the record, one CSV a table with a dictionary of their columns, one PNG and
//! SVG a figure. Each appears whole or not at
//! all: everything is written under temporary names first, then renamed, the record last.

use super::Failure;
use super::progress::Watch;
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;
use uuidcap::document::Document;
use uuidcap::render;

/// Writes the study and says how many files it has.
pub(super) fn write(
    directory: &Path,
    verb: &str,
    record: &str,
    document: &Document,
    watch: &Watch,
) -> Result<usize, Failure> {
    let failed = |error| Failure::System(format!("writing the study to {}", directory.display()), error);
    std::fs::create_dir_all(directory).map_err(failed)?;
    let mut files: Vec<(String, NamedTempFile)> = Vec::new();
    let mut stage = |name: String, bytes: &[u8]| -> Result<(), Failure> {
        if watch.interrupted() {
            return Err(Failure::Interrupted);
        }
        files.push((name, staged(directory, bytes).map_err(failed)?));
        Ok(())
    };
    for table in document.tables.iter().filter(|table| !table.rows.is_empty()) {
        stage(format!("{}.csv", table.name), render::csv::to_string(table)?.as_bytes())?;
    }
    #[cfg(feature = "plot")]
    for figure in &document.figures {
        let drawn = render::plot::draw(figure)?;
        stage(format!("{}.svg", figure.name), drawn.svg().as_bytes())?;
        stage(format!("{}.png", figure.name), &drawn.png()?)?;
    }
    let dictionary = render::datapackage::to_string(verb, document)?;
    stage("datapackage.json".to_owned(), dictionary.as_bytes())?;
    stage(format!("{verb}.json"), record.as_bytes())?;
    let count = files.len();
    for (name, file) in files {
        file.persist(directory.join(name)).map_err(|error| failed(error.error))?;
    }
    Ok(count)
}

/// A file under a temporary name, complete and on the disk; it goes away unless it is renamed.
fn staged(directory: &Path, bytes: &[u8]) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".uuidcap-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any other new file: the process' umask decides, not the privacy of a temporary one.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}
