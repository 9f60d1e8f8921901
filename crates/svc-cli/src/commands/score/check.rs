//! Checks and their results.

use svc_server::pluralize;

use super::crawl::Crawl;
use super::response::path_of;

/// Number of pages that a message names.
const MAX_NAMED_PAGES: usize = 3;
/// Share of failing pages above which a check over pages fails.
const MAX_FAILING_SHARE: f64 = 0.1;

/// A check.
#[derive(Debug)]
pub(super) struct Check {
    /// Identifier; those of the agent-docs specification keep their names.
    pub(super) id: &'static str,
    /// Weight in the score; 0 for information.
    pub(super) weight: u32,
    /// What to do when it does not pass.
    pub(super) hint: &'static str,
    /// Checks a site.
    pub(super) run: fn(&Crawl) -> Outcome,
}

/// Checks of one kind.
#[derive(Debug)]
pub(super) struct Category {
    /// Name of the category.
    pub(super) name: &'static str,
    /// The checks.
    pub(super) checks: &'static [Check],
}

/// Weight of what agents cannot do without.
pub(super) const HIGH: u32 = 10;
/// Weight of what saves agents requests, or text that they do not need.
pub(super) const MEDIUM: u32 = 5;
/// Weight of what rarely matters.
pub(super) const LOW: u32 = 2;
/// Weight of measurements that are no judgment.
pub(super) const INFORMATION: u32 = 0;

/// Result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    /// Does not apply, or cannot be checked because something else is missing.
    Skipped,
    /// Good.
    Pass,
    /// Works for some agents or pages.
    Warning,
    /// Does not work.
    Failure,
}

impl Status {
    /// A pass if `good`, and `otherwise` if not.
    pub(super) const fn pass_if(good: bool, otherwise: Self) -> Self {
        if good { Self::Pass } else { otherwise }
    }

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Pass => "pass",
            Self::Warning => "warning",
            Self::Failure => "failure",
        }
    }
}

/// Result of a check with its reason.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outcome {
    /// The result.
    pub(super) status: Status,
    /// One sentence.
    pub(super) message: String,
    /// Share of the weight that counts: 1 for a pass, 0 for a failure, a half for a warning; the
    /// mean of the pages in checks over pages.
    pub(super) credit: f64,
}

impl Outcome {
    pub(super) fn new(status: Status, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            credit: credit(status),
        }
    }

    pub(super) fn pass(message: impl Into<String>) -> Self {
        Self::new(Status::Pass, message)
    }

    pub(super) fn warning(message: impl Into<String>) -> Self {
        Self::new(Status::Warning, message)
    }

    pub(super) fn failure(message: impl Into<String>) -> Self {
        Self::new(Status::Failure, message)
    }

    pub(super) fn skipped(message: impl Into<String>) -> Self {
        Self::new(Status::Skipped, message)
    }
}

const fn credit(status: Status) -> f64 {
    match status {
        Status::Pass => 1.0,
        Status::Warning => 0.5,
        Status::Failure | Status::Skipped => 0.0,
    }
}

/// Results of a check for each page or file.
#[derive(Debug, Default)]
pub(super) struct Tally {
    results: Vec<(Status, String)>,
}

impl Tally {
    pub(super) fn add(&mut self, status: Status, url: &svc_fetch::Url) {
        self.add_with(status, url, "");
    }

    /// Adds a result with a detail that follows the path in messages.
    pub(super) fn add_with(&mut self, status: Status, url: &svc_fetch::Url, detail: &str) {
        let mut label = path_of(url).to_owned();
        if !detail.is_empty() {
            label.push_str(&format!(" ({detail})"));
        }
        self.results.push((status, label));
    }

    /// Summarizes the results: a failure if more than a tenth of the pages fail, otherwise a
    /// warning if any does not pass. `good` and `bad` follow the number of pages
    /// in the message; they begin with a verb in the past tense, which suits any number.
    pub(super) fn outcome(self, noun: &str, good: &str, bad: &str) -> Outcome {
        let counted: Vec<&(Status, String)> = self
            .results
            .iter()
            .filter(|(status, _)| *status != Status::Skipped)
            .collect();
        if counted.is_empty() {
            return Outcome::skipped(format!("there is no {noun} to check"));
        }
        let total = counted.len() as f64;
        let failing = counted
            .iter()
            .filter(|(status, _)| *status == Status::Failure)
            .count();
        let mut worst: Vec<&(Status, String)> = counted
            .iter()
            .copied()
            .filter(|(status, _)| *status > Status::Pass)
            .collect();
        if worst.is_empty() {
            return Outcome::pass(format!("{} {good}", pluralize(counted.len(), noun)));
        }
        // Stable: pages of one status stay in their order.
        worst.sort_by_key(|(status, _)| std::cmp::Reverse(*status));
        let status = match failing as f64 / total > MAX_FAILING_SHARE {
            true => Status::Failure,
            false => Status::Warning,
        };
        let names: Vec<&str> = worst
            .iter()
            .take(MAX_NAMED_PAGES)
            .map(|(_, label)| label.as_str())
            .collect();
        let more = match worst.len().saturating_sub(names.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "{} of {} {bad}: {}{more}",
            worst.len(),
            pluralize(counted.len(), noun),
            names.join(", ")
        );
        let credit = counted
            .iter()
            .map(|(status, _)| credit(*status))
            .sum::<f64>()
            / total;
        Outcome {
            status,
            message,
            credit,
        }
    }
}

/// Numbers of characters from which on texts are cut by some agents, and by most.
pub(super) const MAX_CHARS: usize = 50_000;
pub(super) const MAX_CHARS_WARNING: usize = 100_000;

/// Status of a text by its number of characters.
pub(super) const fn by_size(chars: usize) -> Status {
    graded(chars, MAX_CHARS, MAX_CHARS_WARNING)
}

/// Status of a number with a maximum, and another one up to which it is a warning.
pub(super) const fn graded(number: usize, max: usize, max_warning: usize) -> Status {
    if number <= max {
        Status::Pass
    } else if number <= max_warning {
        Status::Warning
    } else {
        Status::Failure
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_fetch::Url;

    fn tally(pass: usize, warning: usize, failure: usize) -> Outcome {
        let mut tally = Tally::default();
        let url = |n: usize| Url::parse(&format!("https://a.test/{n}")).expect("a URL");
        for n in 0..pass {
            tally.add(Status::Pass, &url(n));
        }
        for n in 0..warning {
            tally.add_with(Status::Warning, &url(n), "large");
        }
        for n in 0..failure {
            tally.add(Status::Failure, &url(n));
        }
        tally.add(Status::Skipped, &url(0));
        tally.outcome("page", "passed", "failed")
    }

    #[test]
    fn a_check_over_pages_fails_above_a_tenth() {
        assert_eq!(tally(3, 0, 0), Outcome::pass("3 pages passed"));
        assert_eq!(tally(0, 0, 0).status, Status::Skipped);
        assert_eq!(tally(9, 0, 1).status, Status::Warning);
        assert_eq!(tally(8, 0, 1).status, Status::Failure);
        let one = tally(1, 1, 0);
        assert_eq!(one.status, Status::Warning);
        assert_eq!(one.message, "1 of 2 pages failed: /0 (large)");
        assert!((one.credit - 0.75).abs() < 1e-9);
        let many = tally(0, 1, 4).message;
        assert_eq!(many, "5 of 5 pages failed: /0, /1, /2 and 2 more");
    }
}
