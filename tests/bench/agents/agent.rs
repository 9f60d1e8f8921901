//! The agent: a fixed policy that searches and reads.

use svc_site::estimated_tokens;

use crate::BUDGET;
use crate::queries::LabeledQuery;

/// Maximum number of results that are read.
const MAX_READS: usize = 10;

/// The tools of a site.
pub(crate) trait Tools {
    /// Searches; `max_tokens` is what the agent is willing to read.
    fn search(&self, query: &str, max_tokens: usize) -> String;

    /// Addresses of the results, best first.
    fn paths(&self, results: &str) -> Vec<String>;

    /// Reads a result.
    fn read(&self, address: &str, max_tokens: usize) -> String;
}

/// What an agent did for a question.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Whether a returned text contained the answer.
    pub(crate) is_found: bool,
    /// Estimated tokens of all returned texts.
    pub(crate) tokens: usize,
    /// The calls with the tokens of their results.
    pub(crate) calls: Vec<String>,
}

/// Searches with the question, then reads the results in their order until the answer is there or
/// the budget is spent.
pub(crate) fn solve(tools: &dyn Tools, question: &LabeledQuery) -> Outcome {
    let mut outcome = Outcome {
        is_found: false,
        tokens: 0,
        calls: Vec::new(),
    };
    let results = tools.search(&question.question, BUDGET / 2);
    note(&mut outcome, question, "search".to_owned(), &results);
    for address in tools.paths(&results).into_iter().take(MAX_READS) {
        if outcome.is_found || outcome.tokens >= BUDGET {
            break;
        }
        let text = tools.read(&address, BUDGET - outcome.tokens);
        note(&mut outcome, question, format!("read {address}"), &text);
    }
    outcome
}

fn note(outcome: &mut Outcome, question: &LabeledQuery, call: String, text: &str) {
    let tokens = estimated_tokens(text);
    outcome.tokens += tokens;
    outcome.is_found |= question.is_covered_by(text);
    outcome.calls.push(format!("{call}: {tokens} tokens"));
}
