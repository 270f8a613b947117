//! Consoles in Markdown show what the command says. `TRYCMD=overwrite cargo test --test readme` renews them.

#[test]
fn consoles_show_what_the_command_says() {
    trycmd::TestCases::new().case("README.md").case("tests/data/snapshots/*.md");
}
