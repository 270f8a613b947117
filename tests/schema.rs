//! Records keep the promise of their JSON Schema, and the data dictionary knows every column.

mod command;

use command::record;
use serde_json::Value;
use std::fs;

/// What of a record breaks its schema; empty where nothing does.
fn broken(schema: &str, record: &Value) -> String {
    let file = format!("{}/tests/data/schema/{schema}.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(file).expect("a schema")).expect("JSON");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("schema.json", schema).expect("a schema");
    let compiled = compiler.compile("schema.json", &mut schemas).expect("a valid schema");
    schemas.validate(record, compiled).err().map_or_else(String::new, |error| error.to_string())
}

fn check(schema: &str, arguments: &str) {
    let broken = broken(schema, &record(arguments));
    assert!(broken.is_empty(), "{arguments}: {broken}");
}

#[test]
fn records_of_size_follow_their_schema() {
    for arguments in [
        "size --rate 200000 --days 7",
        "size --rate 200000 --days 7 --growth 40% --horizon 30mo --seed 7",
        "size --rate 1/s --retention 1500ms --key 32 --key-format text --record full --response-bytes 100kB --scope account --fingerprint none",
        "size --rate 1k,1M --days 1,30 --key v7,v1,snowflake --provider azure",
        "size --list-prices",
        "size --rate 1e15 --days 1000 --store postgres,mysql,sqlite,rocksdb --key v7",
    ] {
        check("size", arguments);
    }
}

#[test]
fn records_of_schemes_follow_their_schema() {
    check("schemes", "schemes");
    check("schemes", "schemes v7");
}

/// A command line of every kind of question.
const COLLIDE: [&str; 17] = [
    "collide --scheme v4 --ids 1e9",
    "collide --scheme v7 --rate 200k --for 30y --dispersion 50 --duty 1%",
    "collide --scheme v4,v7,ulid --rate 200k --window 7d,30d",
    "collide --space 2^32,62^22 --risk 50%,1e-9",
    "collide --scheme v4 --rate 1e9 --risk 1e-9",
    "collide --scheme v7 --for 30y --risk 1e-9",
    "collide --ids 1e15 --risk 1e-15",
    "collide --ids 1e9 --risk 1e-9 --alphabet 64",
    "collide --alphabet base62 --length 1,22 --ids 0,1,1e9",
    "collide --observed 7 --pairs 4.995e10 --scheme v7",
    "collide --observed 0 --pairs 2^64",
    "collide --claim 0.5 --ids 2^61 --scheme v4",
    "collide --scheme v4 --ids 1e9 --seed-bits 32 --generators 1000",
    "collide --scheme v4,v7 --keep-hex 6,8 --rate 1k --for 1y",
    "collide --compare v4,v7,nanoid,cuid2,objectid --ids 2^500",
    "collide --scheme snowflake,sonyflake --rate 4M --for 1d --generators 2",
    "collide --space 2^2048 --ids 2",
];

/// Those whose studies have different tables.
const STUDIES: [&str; 4] = [COLLIDE[0], COLLIDE[2], COLLIDE[9], COLLIDE[11]];

#[test]
fn records_of_collide_follow_their_schema() {
    for arguments in COLLIDE {
        check("collide", arguments);
    }
}

#[test]
fn every_field_of_a_record_of_collide_stands_in_its_schema() {
    let text = include_str!("data/schema/collide.json");
    let schema: Value = serde_json::from_str(text).expect("JSON");
    let known = |kind: &str, value: &Value, arguments: &str| {
        for field in value.as_object().expect("an object").keys() {
            let properties = &schema["$defs"][kind]["properties"];
            assert!(properties.get(field).is_some(), "{arguments}: {kind} has {field}");
        }
    };
    for arguments in COLLIDE {
        let record = record(arguments);
        known("question", &record["question"], arguments);
        for kind in ["claim", "evidence"] {
            record["answer"].get(kind).iter().for_each(|part| known(kind, part, arguments));
        }
        for case in record["answer"]["cases"].as_array().expect("cases") {
            known("case", case, arguments);
            for field in ["space", "ids", "live_keys", "max_ids", "min_ids"] {
                let digits = case.get(field).filter(|value| !value.is_null()).map(Value::to_string);
                let whole = digits.is_none_or(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
                assert!(whole, "{arguments}: {field} is {}", case[field]);
            }
            for kind in ["seeds", "nodes"] {
                case.get(kind).iter().for_each(|part| known(kind, part, arguments));
            }
            for tail in case.get("at_least").and_then(Value::as_array).into_iter().flatten() {
                known("tail", tail, arguments);
            }
        }
    }
}

/// A command line of every kind of question.
const BENCH: [&str; 3] = [
    "bench --quick --seconds 0.02 --threads 1,2 --into l1,memory --generator v4,v7-monotonic,snowflake,memset",
    "bench --quick --seconds 0.02 --threads 1 --generator own,v4:uuid-rs --key-format hyphenated",
    "bench --distinct --ids 1k --threads 2",
];

#[cfg(feature = "peers")]
#[test]
fn records_of_bench_follow_their_schema() {
    for arguments in BENCH {
        check("bench", arguments);
    }
}

/// A command line of every kind of question; the sweep has the fewest trials that make one.
const SIMULATE: [&str; 5] = [
    "simulate --bits 24 --draws 4k --trials 300 --seed 1",
    "simulate --bits 20 --draws 4k --trials 3 --witness --seed 1",
    "simulate --bits 16 --trials 2 --sweep --seed 1",
    "simulate --bits 24 --draws 4k --trials 100 --shard 2/4 --seed 1",
    "simulate --bits 20 --draws 100 --trials 10 --rng chacha8 --method hashset --seed 1",
];

#[test]
fn records_of_simulate_follow_their_schema() {
    for arguments in SIMULATE {
        check("simulate", arguments);
    }
}

/// A command line of every kind of question.
const INDEX: [&str; 5] = [
    "index --keys 20k --checkpoint 2k --seed 1",
    "index --keys 20k --order v1,v6,ulid,snowflake,8,v7:postgres18 --engine innodb --cache 1MiB --seed 1",
    "index --keys 20k --engine sqlite --batch 100 --entry-bytes 62 --far-future 0.1% --shards 3 --seed 1",
    "index --rate 10k --ttl 1s --clients 10 --skew 100ms --skew-law uniform --delay 10ms --seed 1",
    "index --keys 20k --order v1,v7 --before 1000 --far-future 1000 --checkpoint 1min --seed 1",
];

#[test]
fn records_of_index_follow_their_schema() {
    for arguments in INDEX {
        check("index", arguments);
    }
}

#[test]
fn a_sweep_stands_in_the_record_only_where_it_was_asked_for() {
    assert!(record(SIMULATE[0])["answer"].get("sweep").is_none());
    let shard = record(SIMULATE[3]);
    assert_eq!(
        (&shard["answer"]["share"]["from_unit"], &shard["answer"]["share"]["to_unit"]),
        (&25.into(), &50.into())
    );
}

/// A command line of every kind of question.
const PROBE: [&str; 2] = [
    "probe --keys 1k --order v4,v7-skewed --store sqlite --store redb --seed 7",
    "probe --keys 1k --order snowflake --store sqlite --record full --durability lazy --only load --seed 7",
];

#[cfg(feature = "embedded")]
#[test]
fn records_of_probe_follow_their_schema() {
    for arguments in PROBE {
        check("probe", arguments);
    }
}

/// Whether the digits of a JSON number are all 0, whatever a float makes of them.
fn is_written_zero(number: &str) -> bool {
    number.split(['e', 'E']).next().is_some_and(|digits| !digits.contains(|c: char| ('1'..='9').contains(&c)))
}

#[test]
fn a_probability_far_below_the_least_float_is_written_with_its_digits() {
    // 1/2^2048 = 3.094e-617.
    let record = record("collide --space 2^2048 --ids 2");
    let case = &record["answer"]["cases"][0];
    assert!(case["probability"].to_string().starts_with("3.0943460473825"), "{}", case["probability"]);
    assert!(case["probability"].to_string().ends_with("e-617"), "{}", case["probability"]);
    let log10 = case["log10_probability"].as_f64().expect("a logarithm");
    assert!((log10 + 2048.0 * 2f64.log10()).abs() < 1e-9, "{log10}");
}

#[test]
fn a_positive_probability_is_never_written_0() {
    for arguments in [
        "collide --space 1,2,365,2^32,2^122,2^2048 --ids 0,1,2,23,1e9,2^64,2^128,2^500",
        "collide --scheme v4,v7,ulid,ksuid,nanoid,cuid2 --rate 1/y,200k,1e20 --for 1ms,30y --window 1ms,7d",
    ] {
        for case in record(arguments)["answer"]["cases"].as_array().expect("cases") {
            let [p, log10] = ["probability", "log10_probability"].map(|field| case[field].to_string());
            assert_eq!(is_written_zero(&p), log10 == "null", "{case}");
        }
    }
}

#[test]
fn a_clash_is_certain_beyond_the_space_and_nowhere_before() {
    let whole = |value: &Value| value.to_string().parse::<num_bigint::BigUint>().expect("a whole number");
    let record =
        record("collide --space 1,2,365,2^32,2^122 --ids 0,1,2,3,365,366,2^32,4294967297,2^122,2^128");
    for case in record["answer"]["cases"].as_array().expect("cases") {
        let beyond = whole(&case["ids"]) > whole(&case["space"]);
        assert_eq!(case["log10_no_clash"].is_null(), beyond, "{case}");
        assert!(!beyond || case["probability"].as_f64() == Some(1.0), "{case}");
    }
}

#[test]
fn a_record_without_a_promised_field_is_refused() {
    let mut record = record("size --rate 1k --days 1 --store raw");
    assert_eq!(broken("size", &record), "");
    record["answer"]["cases"][0].as_object_mut().expect("a case").remove("live_keys");
    assert!(broken("size", &record).contains("live_keys"));
}

#[cfg(all(feature = "embedded", feature = "peers"))]
#[test]
fn every_column_of_a_study_has_a_meaning() {
    for arguments in ["size --rate 1k --days 1 --growth 10% --horizon 2y", "size --list-prices", "schemes"]
        .iter()
        .chain(&STUDIES)
        .chain(&BENCH)
        .chain(&SIMULATE)
        .chain(&INDEX)
        .chain(&PROBE)
    {
        let folder = tempfile::tempdir().expect("a folder");
        command::stdout(&format!("{arguments} -q -o {}", folder.path().display()));
        let text = fs::read_to_string(folder.path().join("datapackage.json")).expect("a dictionary");
        let package: Value = serde_json::from_str(&text).expect("JSON");
        for resource in package["resources"].as_array().expect("resources") {
            for field in resource["schema"]["fields"].as_array().expect("fields") {
                let meaning = field["description"].as_str().expect("a description");
                assert!(!meaning.is_empty(), "{} of {} has no meaning", field["name"], resource["name"]);
            }
        }
    }
}
