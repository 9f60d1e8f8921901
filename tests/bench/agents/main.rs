//! `cargo xtask bench agents [--dump FILE]`: how many tokens an agent reads until it has the answer
//! to a question, with the tools of the MCP server, and with tools that return whole sections and
//! pages.
//!
//! `questions.csv` has 50 questions with the section that answers each, and words of the answer that
//! are nowhere else on the page. The agent is a fixed policy without a language model: it searches
//! with the question as it is, reads the best sections of which the results have only a part, gets
//! further results, and ends when a returned text contains the words of the answer. It knows them
//! only to end. The sites are looked for in
//! `../shared/corpus/sites` next to the checkout; questions about missing ones are skipped.
//!
//! `--dump FILE` writes the calls for each question.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the tables are the result"
)]

mod agent;
mod mcp_tools;
mod queries;
mod whole_tools;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use svc_tests::loaded_site::{LoadedSite, threads};
use svc_tests::sites;

use crate::agent::{Outcome, Tools};
use crate::mcp_tools::McpTools;
use crate::whole_tools::WholeTools;

/// Tokens within which an answer counts.
const BUDGET: usize = 6_000;

fn main() -> io::Result<()> {
    let dump = dump_file()?;
    let mut calls = String::new();
    let mut results: BTreeMap<&str, Vec<(String, Outcome)>> = BTreeMap::new();
    let mut skipped = 0;
    let mut problems = Vec::new();
    for (name, questions) in queries::by_site()? {
        let Some(root) = sites::site(&name) else {
            skipped += questions.len();
            continue;
        };
        let site = LoadedSite::load(&root)?.site;
        site.render_all(threads(), &|| true);
        let tools: [(&str, &dyn Tools); 2] = [
            ("excerpts with limits", &McpTools::new(&site)),
            ("whole sections and pages", &WholeTools::new(&site)),
        ];
        for question in &questions {
            if let Err(problem) = question.check(&site) {
                problems.push(problem);
                continue;
            }
            for (kind, tools) in tools {
                let outcome = agent::solve(tools, question);
                // Writing to a String cannot fail.
                let _ = writeln!(
                    calls,
                    "{kind}: {} tokens in {} calls, {}: {} ({name}{}#{})",
                    outcome.tokens,
                    outcome.calls.len(),
                    if outcome.is_found {
                        "found"
                    } else {
                        "NOT FOUND"
                    },
                    question.question,
                    question.path(),
                    question.section,
                );
                for call in &outcome.calls {
                    let _ = writeln!(calls, "    {call}");
                }
                let results = results.entry(kind).or_default();
                results.push((question.kind.clone(), outcome));
            }
        }
    }
    if !problems.is_empty() {
        return Err(io::Error::other(problems.join("\n")));
    }
    if skipped > 0 {
        eprintln!("{skipped} questions are skipped: their sites are missing");
    }
    for (kind, results) in &results {
        print_table(kind, results);
    }
    match dump {
        Some(file) => std::fs::write(file, calls),
        None => Ok(()),
    }
}

fn dump_file() -> io::Result<Option<PathBuf>> {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => Ok(None),
        // Cargo runs benchmarks in the directory of their package.
        (Some("--dump"), Some(file)) => Ok(Some(sites::workspace().join(file))),
        _ => Err(io::Error::other("--dump FILE")),
    }
}

/// Prints the number of answers within the budget, by kind of question, and the tokens.
fn print_table(name: &str, results: &[(String, Outcome)]) {
    println!("\n{name}");
    let mut kinds: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for (kind, outcome) in results {
        kinds.entry(kind).or_default().push(outcome);
        kinds.entry("all").or_default().push(outcome);
    }
    println!(
        "  {:<12}{:>10}{:>14}{:>16}{:>16}",
        "questions", "answered", "in budget", "median tokens", "most tokens"
    );
    for (kind, outcomes) in kinds {
        let found = outcomes.iter().filter(|outcome| outcome.is_found).count();
        let good = outcomes
            .iter()
            .filter(|outcome| outcome.is_found && outcome.tokens <= BUDGET)
            .count();
        let mut tokens: Vec<usize> = outcomes.iter().map(|outcome| outcome.tokens).collect();
        tokens.sort_unstable();
        let median = tokens.get(tokens.len() / 2).copied().unwrap_or_default();
        let most = tokens.last().copied().unwrap_or_default();
        let total = outcomes.len();
        println!(
            "  {kind:<12}{:>10}{:>14}{median:>16}{most:>16}",
            format!("{found}/{total}"),
            format!("{good}/{total}")
        );
    }
}
