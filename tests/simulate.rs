//! What a user of `uuidcap simulate` and `uuidcap merge` sees: equal answers however a run was made, and what is refused.

mod command;

use command::{record, run, stdout, uuidcap};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// The names that scripts rest on.
const NAMES: [&str; 12] = [
    "trials",
    "draws_per_trial",
    "space_bits",
    "trials_with_collision",
    "repeats",
    "pairs",
    "expected_probability",
    "observed_probability",
    "interval_low",
    "interval_high",
    "p_value",
    "verdict",
];

/// The question and answer of a command, with options that are not to matter.
fn said(command: &str, options: &str) -> (Value, Value) {
    let record = record(&format!("{command} {options}"));
    (record["question"].clone(), record["answer"].clone())
}

/// The question and answer of a study in a folder.
fn study(folder: &Path) -> (Value, Value) {
    let text = fs::read_to_string(folder.join("simulate.json")).expect("a record");
    let record: Value = serde_json::from_str(&text).expect("JSON");
    (record["question"].clone(), record["answer"].clone())
}

/// What came on stderr of a command that ended with 2.
fn refused(arguments: &str) -> String {
    let output = run(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments}: {complaint}");
    assert_eq!(complaint.lines().count(), 1, "{arguments}: {complaint}");
    complaint
}

#[test]
fn names_that_scripts_rest_on_are_there() {
    let (_, answer) = said("simulate --bits 16 --draws 256 --trials 200 --seed 1", "");
    for name in NAMES {
        assert!(!answer[name].is_null(), "{name}");
    }
    let csv = stdout("simulate --bits 16 --draws 256 --trials 200 --seed 1 -f csv");
    let head: Vec<&str> = csv.lines().next().expect("a head").split(',').collect();
    for name in &NAMES[..11] {
        assert!(head.contains(name), "{name} in {csv}");
    }
}

/// Whatever the threads and the way of counting, a seed gives one answer.
#[test]
fn an_answer_depends_on_question_and_seed_alone() {
    for question in [
        "simulate --bits 20 --draws 2^10 --trials 1000 --seed 7 --witness 4",
        "simulate --bits 12 --draws 500 --trials 300 --seed 7 --rng chacha8",
        "simulate --space 365 --draws 23 --trials 5000 --seed 7",
        "simulate --scheme v7 --bits 12 --rate 20k --for 50ms --trials 200 --seed 7",
        "simulate --scheme snowflake --generators 8 --rate 100k --for 20ms --trials 50 --seed 7",
        "simulate --bits 24 --rate 1k --window 500ms --draws 3000 --trials 100 --seed 7",
    ] {
        let one = said(question, "--threads 1");
        for options in ["--threads 2", "--threads 5"] {
            assert_eq!(said(question, options), one, "{question} {options}");
        }
    }
    let counted = |method: &str| {
        let (_, answer) =
            said("simulate --bits 16 --draws 700 --trials 200 --seed 7", &format!("--method {method}"));
        answer["counted"].clone()
    };
    let witness = counted("hashset");
    for method in ["auto", "sort", "index-table", "stamp", "bit-filter", "histogram", "partition"] {
        assert_eq!(counted(method), witness, "{method}");
    }
}

/// The exact birthday of 23 among 365, drawn often enough that half a percent of bias would show: 200,000 trials have a
/// standard deviation of 0.0011, and half a percent of 0.5073 is 0.0025, so that the interval at 95 % is narrower than that.
#[test]
fn the_birthday_is_seen() {
    let (_, answer) = said("simulate --space 365 --draws 23 --trials 200000 --seed 11", "");
    assert_eq!(answer["expected_probability"].as_f64(), Some(0.507_297_234_323_985_4));
    assert_eq!(answer["verdict"], "consistent");
    let width = answer["interval_high"].as_f64().expect("a number")
        - answer["interval_low"].as_f64().expect("a number");
    assert!(width < 0.005, "{width}");
}

#[test]
fn shares_of_several_machines_merge_to_the_bytes_of_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for question in [
        "simulate --bits 24 --draws 2^12 --trials 301 --seed 5 --witness 3",
        // Larger than a slice: the space of one trial is cut.
        "simulate --bits 26 --draws 34M --trials 1 --seed 5 --witness 3",
    ] {
        stdout(&format!("{question} -o {}", at("alone")));
        for share in 1..=3 {
            stdout(&format!("{question} --shard {share}/3 -o {}", at(&format!("share-{share}"))));
        }
        let shares = [3, 1, 2].map(|share| at(&format!("share-{share}")));
        stdout(&format!("merge {} -o {}", shares.join(" "), at("whole")));
        assert_eq!(study(&folder.path().join("whole")), study(&folder.path().join("alone")), "{question}");
    }
    let [one, two, three] = [1, 2, 3].map(|share| at(&format!("share-{share}")));
    let missing = refused(&format!("merge {one} {three}"));
    assert!(missing.contains("in no record") && missing.contains("share-1"), "{missing}");
    let twice = refused(&format!("merge {one} {two} {two} {three}"));
    assert!(twice.contains("both hold") && twice.contains("share-2"), "{twice}");
    stdout(&format!("simulate --bits 26 --draws 34M --trials 1 --seed 6 --shard 2/3 -o {}", at("other")));
    let other = refused(&format!("merge {one} {} {three}", at("other")));
    assert!(other.contains("another question"), "{other}");
    let alien = refused(&format!("merge {one} {}/datapackage.json", one));
    assert!(alien.contains("no record of simulate"), "{alien}");
}

/// Ends a run by a signal after a while and gives what it wrote.
#[cfg(unix)]
fn broken_off(arguments: &str, after: Duration) -> Option<i32> {
    let mut child =
        uuidcap(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    std::thread::sleep(after);
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill");
    assert!(sent.success());
    child.wait().expect("it ends").code()
}

#[cfg(unix)]
#[test]
fn a_run_that_is_broken_off_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    // Long enough to be met while it runs, wherever the test runs; how far it came does not matter.
    let question = "simulate --bits 26 --draws 2^12 --trials 20000 --seed 9 --witness 2";
    let code = broken_off(&format!("{question} -o {}", at("part")), Duration::from_millis(150));
    if folder.path().join("part").exists() {
        assert!(code == Some(130) || code == Some(0), "{code:?}");
        stdout(&format!("simulate --resume {} -o {}", at("part"), at("part")));
    } else {
        // It had not begun.
        stdout(&format!("{question} -o {}", at("part")));
    }
    stdout(&format!("{question} -o {}", at("alone")));
    assert_eq!(study(&folder.path().join("part")), study(&folder.path().join("alone")));
    let other = refused(&format!("simulate --bits 27 --resume {}", at("alone")));
    assert!(other.contains("another question"), "{other}");
    assert!(refused(&format!("simulate --seed 1 --resume {}", at("alone"))).contains("has seed 9"));
    assert!(refused("simulate --resume /no/such/record").contains("reading the record"));
}

#[test]
fn a_run_ends_when_its_interval_is_narrow_enough() {
    let question = "simulate --bits 20 --draws 2^10 --trials 1M --seed 3 --until-width 0.02";
    let one = said(question, "--threads 1");
    let (_, answer) = &one;
    let width = answer["interval_high"].as_f64().expect("a number")
        - answer["interval_low"].as_f64().expect("a number");
    assert!(width <= 0.02 && answer["narrow_enough"] == true, "{width}");
    assert!(answer["trials"].as_u64() < Some(100_000), "{}", answer["trials"]);
    assert_eq!(said(question, "--threads 3"), one);
}

/// A record whose numbers were changed by hand is found.
#[test]
fn numbers_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("study");
    let shown = at.to_string_lossy();
    stdout(&format!("simulate --bits 16 --draws 256 --trials 300 --seed 2 --witness -o {shown}"));
    let text = fs::read_to_string(at.join("simulate.json")).expect("a record");
    let record: Value = serde_json::from_str(&text).expect("JSON");
    let spoil: [fn(&mut Value); 14] = [
        |record| record["answer"]["counted"]["whole"]["trials"] = 299.into(),
        |record| record["answer"]["counted"]["whole"]["by_repeats"][0] = 0.into(),
        |record| record["answer"]["counted"]["to_unit"] = 301.into(),
        |record| record["answer"]["counted"]["whole"]["pairs"] = Value::from(-1),
        |record| record["answer"]["counted"]["whole"]["first_clash_sum"] = 1u64.into(),
        |record| record["answer"]["counted"]["whole"]["pairs_squared"] = 1u64.into(),
        |record| record["answer"]["counted"]["whole"]["pairs"] = Value::from(1_000_000),
        |record| record["answer"]["counted"]["whole"]["witnesses"][0]["id"] = 7.into(),
        |record| record["answer"]["counted"]["whole"]["witnesses"][1]["draws"][0] = 0.into(),
        |record| record["run"]["seed"] = 3.into(),
        |record| record["answer"]["counted"]["whole"]["witnesses"][0]["draws"] = serde_json::json!([5, 256]),
        |record| record["answer"]["counted"]["whole"]["witnesses"][0]["trial"] = 300u64.into(),
        |record| record["version"] = "9.9.9".into(),
        |record| record["question"]["draws"] = Value::from(1u64 << 50),
    ];
    for spoil in spoil {
        let mut other = record.clone();
        spoil(&mut other);
        fs::write(at.join("simulate.json"), other.to_string()).expect("written");
        refused(&format!("merge {shown}"));
        refused(&format!("simulate --resume {shown}"));
    }
}

#[test]
fn what_cannot_be_asked_is_refused_with_what_helps() {
    for (arguments, part) in [
        ("simulate --bits 0", "--bits"),
        ("simulate --bits 123", "122"),
        ("simulate --space 0", "--space"),
        ("simulate --space 2^64", "--bits"),
        ("simulate --draws 2^41", "draws"),
        ("simulate --trials 0", "--trials"),
        ("simulate --trials 2^41", "--trials"),
        ("simulate --draws -1", "-1"),
        ("simulate --draws 2^30 --trials 2^40", "2^60"),
        ("simulate --bits 16 --space 365", "--"),
        ("simulate --scheme nonesuch", "nonesuch"),
        ("simulate --method fast", "hashset"),
        ("simulate --until-width 0", "--until-width"),
        ("simulate --until-width 0.1 --shard 1/2 --seed 1", "--until-width"),
        ("simulate --shard 0/4 --seed 1", "3/64"),
        ("simulate --shard 1/2", "--seed"),
        ("simulate --shard auto --seed 1", "SLURM_ARRAY_TASK_ID"),
        ("simulate --witness 1000", "--witness"),
        ("simulate --bits 64 --draws 2^30 --trials 1 --max-memory 1MB", "memory"),
        ("simulate --bits 40 --draws 2^24 --method hashset --max-memory 1MB", "--max-memory"),
        ("merge", "RECORD"),
        ("merge /dev/null", "is no file"),
        ("simulate --arrivals batch", "try batched"),
        ("simulate --bits 64 --window 1d --rate 200k", "--window holds 17,280,000,000 keys"),
        ("simulate --scheme v4 --keep-hex 12 --rate 5k --window 7d", "--bits 25 --rate 1.7263"),
        ("simulate --bits 32 --rate 5k --trials 3", "--rate changes nothing here"),
        ("simulate --resume no-such --sweep", "reading the record"),
    ] {
        let complaint = refused(arguments);
        assert!(complaint.contains(part), "{arguments}: {complaint}");
    }
}

/// A window alone asks for a run in which keys expire.
#[test]
fn a_window_gets_a_run_of_several_unless_it_is_told_otherwise() {
    let (_, answer) = said("simulate --bits 24 --rate 100 --window 10s --trials 20 --seed 1", "");
    assert_eq!(
        (&answer["draws_per_trial"], &answer["parameters"]["window_draws"]),
        (&10_000.into(), &1_000.into())
    );
    let expected = answer["collisions_per_s"]["expected"].as_f64().expect("a full window has a rate");
    // rate x window / N: 100 x 1,000 / 2^24.
    assert!((expected - 100.0 * 1_000.0 / 16_777_216.0).abs() < 1e-15, "{expected}");
    let all = stdout("simulate --bits 24 --rate 100 --window 10s --draws 500 --trials 20 --seed 1");
    assert!(all.contains("of which none expires: a window is 1,000 draws"), "{all}");
}

/// The command of the last words of what was said, up to its full stop.
fn command_in(text: &str) -> Option<String> {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, command) = joined.rsplit_once("uuidcap collide ")?;
    let end = command.find(". ").or_else(|| command.ends_with('.').then(|| command.len() - 1))?;
    Some(format!("collide {}", &command[..end]))
}

#[test]
fn the_command_that_answers_by_mathematics_answers() {
    for (question, same) in [
        ("--bits 20 --draws 1000 --trials 5", true),
        ("--space 365 --draws 23 --trials 5", true),
        ("--alphabet 36 --length 4 --draws 500 --trials 5", true),
        ("--bits 20 --rate 100 --window 2s --for 20s --trials 5", true),
        ("--scheme v4 --trials 3", false),
        ("--scheme v4 --keep-hex 6 --draws 1000 --trials 3", true),
        ("--scheme v7 --rate 1000 --for 100ms --trials 3", false),
        ("--scheme v7 --rate 20k --for 100ms --arrivals bursty --trials 3", false),
        ("--scheme snowflake --rate 20k --for 20ms --generators 5 --trials 3", true),
        ("--scheme v4 --fault clone --generators 2 --draws 100 --trials 3", true),
        ("--bits 32 --draws 500 --generators 5 --seed-bits 8 --trials 3", true),
        ("--scheme ulid --trials 3", false),
    ] {
        let said = stdout(&format!("simulate {question} --seed 1"));
        let command = command_in(&said).unwrap_or_else(|| panic!("{question} names no command: {said}"));
        let by_mathematics = record(&command);
        let simulated = record(&format!("simulate {question} --seed 1"));
        let p = |record: &Value, name: &str| record["answer"][name].as_f64().expect("a number");
        let (one, other) = (
            by_mathematics["answer"]["cases"][0]["probability"].as_f64(),
            p(&simulated, "expected_probability"),
        );
        // `collide` takes a window by its pairs, off by a share of 1/N of each: 1.4e-4 of 0.304 here.
        let one = one.unwrap_or_else(|| p(&by_mathematics, "probability"));
        assert!(
            !same || (one - other).abs() <= 2e-4 * other,
            "{question}: {command} says {one}, not {other}"
        );
    }
}

#[test]
fn a_smaller_question_is_named_where_a_trial_cannot_have_so_many_draws() {
    for (question, bits, draws) in [
        ("--bits 122 --draws 2^61", 122.0, 61.0),
        ("--bits 122 --draws 2^50", 122.0, 50.0),
        ("--bits 64 --draws 2^41", 64.0, 41.0),
        ("--space 1000000000000000000 --draws 2^45", 1e18f64.log2(), 45.0),
        ("--scheme v4 --draws 2^60", 122.0, 60.0),
    ] {
        let said = refused(&format!("simulate {question}"));
        let (_, smaller) = said.trim().rsplit_once("the same for ").expect("a smaller question");
        let flags: Vec<f64> = smaller.split(' ').filter_map(|word| word.parse().ok()).collect();
        // log2 of n²/2N, off by the rounding of n alone.
        let (wanted, offered) = (2.0 * draws - bits, 2.0 * flags[1].log2() - flags[0]);
        assert!((wanted - offered).abs() < 2.0 / flags[1] + 1e-9, "{said}");
        stdout(&format!("simulate {smaller} --trials 2 --seed 1"));
    }
}

#[test]
fn what_cannot_be_counted_or_must_clash_is_refused_in_words() {
    for (arguments, part) in [
        ("simulate --scheme v7 --trials 10 --method stamp", "--method"),
        ("simulate --bits 122 --draws 256 --method histogram", "--method"),
        ("simulate --scheme v4 --keep-hex 8 --draws 2^61", "clash for certain"),
        ("simulate --bits 40 --rate 1000 --window 1h --draws 2^61", "at most 67108864"),
    ] {
        let complaint = refused(arguments);
        assert!(complaint.contains(part), "{arguments}: {complaint}");
    }
}

#[test]
fn what_was_certain_beforehand_is_not_said_to_be_tested() {
    for question in ["--bits 122 --draws 1000 --trials 10", "--space 1 --draws 2 --trials 10"] {
        let (_, answer) = said(&format!("simulate {question} --seed 1"), "");
        assert_eq!(
            (&answer["verdict"], answer["tests"].as_array().map(Vec::len)),
            (&"untested".into(), Some(0))
        );
    }
    // Values that all came several times are tested by how often they did, the first clash by its law.
    let (_, answer) = said("simulate --space 365 --draws 5000 --trials 1 --seed 1", "");
    assert_eq!((&answer["verdict"], &answer["tests"][0]["by"]), (&"consistent".into(), &"chi-square".into()));
    let (_, answer) = said("simulate --space 20 --draws 1000 --trials 200 --seed 1", "");
    assert_eq!(answer["tests"].as_array().map(Vec::len), Some(2));
    for (question, why) in [
        (
            "--bits 20 --draws 2000 --generators 20 --seed-bits 4 --trials 50",
            "follows no law that is known here",
        ),
        (
            "--scheme v7 --bits 6 --rate 20k --for 20ms --arrivals batched --trials 50",
            "too few trials for pairs",
        ),
    ] {
        let said = stdout(&format!("simulate {question} --seed 1"));
        assert!(said.split_whitespace().collect::<Vec<_>>().join(" ").contains(why), "{question}: {said}");
    }
    let (_, answer) = said("simulate --bits 20 --rate 1000 --window 1s --for 10s --trials 1 --seed 1", "");
    assert_eq!(
        (&answer["verdict"], &answer["tests"][0]["by"]),
        (&"consistent".into(), &"exact Poisson".into())
    );
}

/// The whole does not take the place of a share.
#[test]
fn what_is_merged_is_not_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for shard in ["1/2", "2/2"] {
        let out = at(&shard.replace('/', "-"));
        stdout(&format!("simulate --bits 16 --draws 100 --trials 20 --seed 4 --shard {shard} -o {out}"));
    }
    let (one, two) = (at("1-2"), at("2-2"));
    assert!(refused(&format!("merge {one} {two} -o {one}")).contains("is one of the records"));
    stdout(&format!("merge {one} {two} -o {}", at("whole")));
}

/// Opening a pipe that nobody writes to waits for ever.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is on every Unix");
    assert!(made.success());
    assert!(refused(&format!("merge {}", pipe.display())).contains("is no file"));
}
