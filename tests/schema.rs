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

#[test]
fn a_record_without_a_promised_field_is_refused() {
    let mut record = record("size --rate 1k --days 1 --store raw");
    assert_eq!(broken("size", &record), "");
    record["answer"]["cases"][0].as_object_mut().expect("a case").remove("live_keys");
    assert!(broken("size", &record).contains("live_keys"));
}

#[test]
fn every_column_of_a_study_has_a_meaning() {
    for arguments in ["size --rate 1k --days 1 --growth 10% --horizon 2y", "size --list-prices", "schemes"] {
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
