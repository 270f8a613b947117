//! Job files of `examples/jobs`: all shares run here as their schedulers would run them, and merge to the bytes that one
//! machine gives.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Jobs of an array, fewer than in the files.
const JOBS: u64 = 5;
/// The question of the files, and a smaller one of the same kind.
const QUESTION: (&str, &str) =
    ("--bits 40 --draws 2^20 --trials 1000000", "--bits 24 --draws 2^10 --trials 2003");

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/jobs").join(name);
    fs::read_to_string(path).expect("a job file")
}

/// A script with the smaller question and as many jobs.
fn smaller(script: &str) -> String {
    assert_eq!(script.matches(QUESTION.0).count(), 1, "{script}");
    script.replace(QUESTION.0, QUESTION.1).replace("auto/64", &format!("auto/{JOBS}"))
}

/// Runs a script in a folder as a scheduler would, with its variables, and uuidcap on the path.
fn run(script: &str, folder: &Path, variables: &[(&str, String)]) {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_uuidcap"));
    let path = format!("{}:/usr/bin:/bin", binary.parent().expect("a folder").display());
    let mut shell = Command::new("sh");
    shell.args(["-euc", script]).current_dir(folder).env("PATH", path);
    for (name, value) in variables {
        shell.env(name, value);
    }
    let done = shell.output().expect("a shell");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// The question and answer of a record.
fn answer(folder: &Path) -> (serde_json::Value, serde_json::Value) {
    let text = fs::read_to_string(folder.join("simulate.json")).expect("a record");
    let record: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    (record["question"].clone(), record["answer"].clone())
}

/// Every job of an array by itself, then all of them merged, beside one machine that does it alone.
fn all_shares_merge(script: &str, variables: impl Fn(u64) -> Vec<(&'static str, String)>) {
    let script = smaller(script);
    let folder = tempfile::tempdir().expect("a folder");
    for index in 0..JOBS {
        run(&script, folder.path(), &variables(index));
    }
    // A job that is started again finds all done.
    run(&script, folder.path(), &variables(2));
    let alone = format!("uuidcap simulate {} --seed 1 -o alone; uuidcap merge parts/* -o whole", QUESTION.1);
    run(&alone, folder.path(), &[]);
    assert_eq!(answer(&folder.path().join("whole")), answer(&folder.path().join("alone")));
}

#[test]
fn an_array_of_slurm_does_what_one_machine_does() {
    all_shares_merge(&example("slurm.sh"), |index| {
        vec![
            ("SLURM_ARRAY_TASK_ID", (index + 1).to_string()),
            ("SLURM_ARRAY_TASK_MIN", "1".to_owned()),
            ("SLURM_ARRAY_TASK_STEP", "1".to_owned()),
            ("SLURM_ARRAY_TASK_COUNT", JOBS.to_string()),
            ("SLURM_CPUS_PER_TASK", "2".to_owned()),
        ]
    });
}

#[test]
fn an_indexed_job_of_kubernetes_does_what_one_machine_does() {
    let file = example("kubernetes.yaml");
    assert!(file.contains("completions: 64") && file.contains("auto/64"));
    let block = file.lines().skip_while(|line| line.trim() != "- |").skip(1);
    let script: Vec<&str> =
        block.take_while(|line| line.starts_with("              ")).map(str::trim).collect();
    all_shares_merge(&script.join("\n"), |index| vec![("JOB_COMPLETION_INDEX", index.to_string())]);
}

#[test]
fn an_array_job_of_aws_batch_does_what_one_machine_does() {
    let file: serde_json::Value = serde_json::from_str(&example("aws-batch.json")).expect("JSON");
    let script = file["containerOverrides"]["command"][2].as_str().expect("a script").to_owned();
    all_shares_merge(&script, |index| {
        vec![("AWS_BATCH_JOB_ARRAY_INDEX", index.to_string()), ("AWS_BATCH_JOB_ARRAY_SIZE", JOBS.to_string())]
    });
}
