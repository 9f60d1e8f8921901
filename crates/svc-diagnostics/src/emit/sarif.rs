//! Output in the Static Analysis Results Interchange Format (SARIF 2.1.0).

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::{Diagnostic, DiagnosticCode, Fix, Location, Severity};

/// What is encoded in a relative URI reference (RFC 3986, section 4.2).
const URI: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Converts diagnostics to a SARIF log with one run of `tool`, with its version. `folder` is the
/// path of the site, relative to the root of the repository. Rules link to their page if the URL of
/// the documentation is known.
pub fn render_sarif(
    diagnostics: &[Diagnostic],
    tool: (&str, &str),
    folder: &str,
    docs_url: Option<&str>,
) -> Value {
    let (name, version) = tool;
    let mut rules: BTreeMap<&str, &DiagnosticCode> = BTreeMap::new();
    for diagnostic in diagnostics {
        rules.insert(diagnostic.code.id, diagnostic.code);
    }
    let rules = rules.values().map(|code| rule(code, docs_url));
    let results = diagnostics.iter().map(|one| result(one, folder));
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": name,
                "semanticVersion": version,
                "rules": rules.collect::<Vec<Value>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<Value>>(),
        }],
    })
}

fn rule(code: &DiagnosticCode, docs_url: Option<&str>) -> Value {
    let mut object = json!({
        "id": code.id,
        "shortDescription": { "text": code.summary },
        "defaultConfiguration": { "level": level(code.severity) },
    });
    if !code.explanation.is_empty() {
        // The text is for tools that do not render Markdown, which is readable as it is.
        let text = code.explanation.trim_end();
        object["help"] = json!({ "text": text, "markdown": text });
    }
    if let Some(docs_url) = docs_url {
        object["helpUri"] = json!(code.page_url(docs_url));
    }
    object
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error | Severity::Fatal => "error",
    }
}

fn result(diagnostic: &Diagnostic, folder: &str) -> Value {
    let text = match &diagnostic.hint {
        Some(hint) => format!("{} ({hint})", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let mut object = json!({
        "ruleId": diagnostic.code.id,
        "level": level(diagnostic.severity),
        "message": { "text": text },
    });
    if let Some(at) = &diagnostic.location {
        let location = json!({ "physicalLocation": physical(at, folder) });
        object["locations"] = json!([location]);
    }
    if !diagnostic.labels.is_empty() {
        let related = diagnostic.labels.iter().map(|label| {
            json!({
                "physicalLocation": physical(&label.location, folder),
                "message": { "text": label.message },
            })
        });
        object["relatedLocations"] = related.collect();
    }
    if let Some(one) = &diagnostic.fix {
        object["fixes"] = json!([fix(one, folder)]);
    }
    object
}

fn fix(fix: &Fix, folder: &str) -> Value {
    let mut replacements: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        let one = json!({
            "deletedRegion": region(&edit.location),
            "insertedContent": { "text": edit.text },
        });
        replacements
            .entry(&edit.location.file)
            .or_default()
            .push(one);
    }
    let changes = replacements.into_iter().map(|(file, replacements)| {
        json!({ "artifactLocation": artifact(file, folder), "replacements": replacements })
    });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": changes.collect::<Vec<Value>>(),
    })
}

fn physical(at: &Location, folder: &str) -> Value {
    json!({ "artifactLocation": artifact(&at.file, folder), "region": region(at) })
}

fn artifact(file: &str, folder: &str) -> Value {
    json!({
        "uri": utf8_percent_encode(&super::path_below(folder, file), URI).to_string(),
        "uriBaseId": "%SRCROOT%",
    })
}

fn region(at: &Location) -> Value {
    json!({
        "startLine": at.start.line,
        "startColumn": at.start.column,
        "endLine": at.end.line,
        "endColumn": at.end.column,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, Span};

    static CODE: DiagnosticCode =
        DiagnosticCode::warning("demo", "a demonstration").with_explanation("It is *odd*.\n");

    #[test]
    fn a_result_has_its_rule_and_its_region() {
        let file = SourceFile::new("a b/ä.mdx", "one\ntwo");
        let at = |start, end| file.location(Span::new(start, end));
        let one = Diagnostic::new(&CODE, "bad")
            .at(at(4, 7))
            .hint("mend it")
            .label(at(0, 3), "the first")
            .fix(Fix::new("mend it", at(4, 4), "good "));
        let two = Diagnostic::new(&CODE, "worse");
        let log = render_sarif(&[one, two], ("svc", "1.2.3"), "./docs/", None);
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 1);
        let rule = &run["tool"]["driver"]["rules"][0];
        assert_eq!(rule["id"], "demo");
        assert_eq!(rule["help"]["markdown"], "It is *odd*.");
        assert!(rule.get("helpUri").is_none());
        let result = &run["results"][0];
        assert_eq!(result["message"]["text"], "bad (mend it)");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "docs/a%20b/%C3%A4.mdx");
        let region = json!({"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 4});
        assert_eq!(place["region"], region);
        let related = &result["relatedLocations"][0];
        assert_eq!(related["message"]["text"], "the first");
        assert_eq!(result["fixes"][0]["description"]["text"], "mend it");
        let change = &result["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["artifactLocation"], place["artifactLocation"]);
        let replacement = json!({
            "deletedRegion": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 1},
            "insertedContent": { "text": "good " },
        });
        assert_eq!(change["replacements"], json!([replacement]));
        assert!(run["results"][1].get("locations").is_none());
        assert!(run["results"][1].get("fixes").is_none());
    }

    #[test]
    fn a_rule_links_to_its_page_if_the_url_of_the_documentation_is_known() {
        let one = Diagnostic::new(&CODE, "bad");
        let log = render_sarif(&[one], ("svc", "1"), "", Some("https://docs.test/svc/"));
        let rule = &log["runs"][0]["tool"]["driver"]["rules"][0];
        let url = "https://docs.test/svc/reference/diagnostics/demo";
        assert_eq!(rule["helpUri"], url);
    }
}
