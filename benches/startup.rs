//! What a process for one case costs beside a Rust program that prints one line.
//!
//! The bar: no more than 1.5 × the hello-world plus 3 ms. Both are run alternately in one run, so that a
//! busy machine weighs on both.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 200;

fn main() {
    // `cargo test --benches` and `cargo bench -- --test` only want to know that it runs.
    let runs = if std::env::args().any(|argument| argument == "--test") { 2 } else { RUNS };
    let hello = hello_world();
    let uuidcap = Path::new(env!("CARGO_BIN_EXE_uuidcap"));
    let (mut bare, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        bare.push(run(&hello, &[]));
        ours.push(run(uuidcap, &["size", "--rate", "200000", "--days", "7"]));
    }
    let (bare, ours) = (median(bare), median(ours));
    let bar = bare * 3 / 2 + Duration::from_millis(3);
    let verdict = if ours <= bar { "holds" } else { "does not hold" };
    println!(
        "hello-world {bare:.2?}, uuidcap size {ours:.2?}, bar {bar:.2?}: {verdict} (medians of {runs} alternated runs)"
    );
}

fn hello_world() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("uuidcap-hello-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the hello-world");
    let (source, program) = (folder.join("hello.rs"), folder.join("hello"));
    std::fs::write(&source, "fn main() { println!(\"hello\"); }").expect("its source");
    let built = Command::new("rustc").arg("-O").arg("-o").arg(&program).arg(&source).status();
    assert!(built.expect("rustc starts").success(), "the hello-world does not build");
    program
}

fn run(program: &Path, arguments: &[&str]) -> Duration {
    let started = Instant::now();
    let output = Command::new(program).args(arguments).stderr(Stdio::null()).output().expect("it starts");
    let took = started.elapsed();
    assert!(output.status.success() && !output.stdout.is_empty());
    took
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
