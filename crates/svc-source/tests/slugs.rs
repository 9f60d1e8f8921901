//! Compares heading ids and default titles with the recorded ones.
#![allow(clippy::print_stdout, reason = "the counts are worth reading")]

use svc_source::{default_title, heading_id};

#[test]
fn heading_ids_and_titles_equal_the_recorded_ones() {
    let Some(path) = svc_test_support::reference_path("oracle/slugs.json") else {
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let recorded: serde_json::Value = serde_json::from_str(&text).unwrap();
    let compare = |part: &str, actual: fn(&str) -> String| {
        let entries = recorded[part].as_object().unwrap();
        let mismatches: Vec<_> = entries
            .iter()
            .filter(|(text, id)| Some(actual(text).as_str()) != id.as_str())
            .map(|(text, id)| (text, id, actual(text)))
            .collect();
        println!(
            "{part}: {} of {}",
            entries.len() - mismatches.len(),
            entries.len()
        );
        assert!(mismatches.is_empty(), "{mismatches:#?}");
    };
    compare("heading", heading_id);
    compare("title", default_title);
}
