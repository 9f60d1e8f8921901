//! The agent: a fixed policy that searches and reads.

use svc_site::estimated_tokens;

use crate::BUDGET;
use crate::queries::LabeledQuery;

/// Maximum number of sections that are read after a search.
const MAX_READS: usize = 2;
/// Maximum number of searches.
const MAX_SEARCHES: usize = 3;
/// Limit of a section that is read.
const READ_TOKENS: usize = 500;

/// The tools of a site.
pub(crate) trait Tools {
    /// Searches; returns the results after the first `offset`.
    fn search(&self, query: &str, offset: usize, max_tokens: usize) -> String;

    /// The results in a text of the search, best first.
    fn results(&self, text: &str) -> Vec<ResultHead>;

    /// The offset of the results after those in a text; `None` if there are no others.
    fn next_offset(&self, text: &str) -> Option<usize>;

    /// Reads a section or a page.
    fn read(&self, address: &str, max_tokens: usize) -> String;
}

/// A result of the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResultHead {
    /// Address of the section.
    pub(crate) address: String,
    /// Whether the result has the whole section.
    pub(crate) is_whole: bool,
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

impl Outcome {
    fn is_over(&self) -> bool {
        self.is_found || self.tokens >= BUDGET
    }

    fn left(&self) -> usize {
        BUDGET.saturating_sub(self.tokens)
    }
}

/// Searches with the question, reads the best sections of which the results have only a part, and
/// gets further results, until the answer is there or the budget is spent.
pub(crate) fn solve(tools: &dyn Tools, question: &LabeledQuery) -> Outcome {
    let mut outcome = Outcome {
        is_found: false,
        tokens: 0,
        calls: Vec::new(),
    };
    let mut offset = 0;
    for _ in 0..MAX_SEARCHES {
        if outcome.is_over() {
            break;
        }
        let text = tools.search(&question.question, offset, outcome.left());
        note(
            &mut outcome,
            question,
            format!("search after {offset}"),
            &text,
        );
        let results = tools.results(&text);
        let parts = results.iter().filter(|result| !result.is_whole);
        for result in parts.take(MAX_READS) {
            if outcome.is_over() {
                break;
            }
            let address = &result.address;
            let part = tools.read(address, READ_TOKENS.min(outcome.left()));
            note(&mut outcome, question, format!("read {address}"), &part);
        }
        match tools.next_offset(&text) {
            Some(next) => offset = next,
            None => break,
        }
    }
    outcome
}

fn note(outcome: &mut Outcome, question: &LabeledQuery, call: String, text: &str) {
    let tokens = estimated_tokens(text);
    outcome.tokens += tokens;
    outcome.is_found |= question.is_covered_by(text);
    outcome.calls.push(format!("{call}: {tokens} tokens"));
}
