//! The report of a run: results, score, text and JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use svc_diagnostics::escape_control_chars;
use svc_server::pluralize;

use super::check::{Check, Outcome, Status};
use super::checks::CATEGORIES;
use super::crawl::Crawl;

/// The results of all checks of a site.
#[derive(Debug)]
pub(super) struct Report {
    /// URL or folder, as the user wrote it.
    target: String,
    tested_pages: usize,
    total_pages: usize,
    is_partial: bool,
    categories: Vec<CategoryResult>,
}

#[derive(Debug)]
struct CategoryResult {
    name: &'static str,
    results: Vec<CheckResult>,
}

#[derive(Debug)]
struct CheckResult {
    check: &'static Check,
    outcome: Outcome,
}

impl Report {
    /// Runs all checks.
    pub(super) fn new(target: String, crawl: &Crawl) -> Self {
        let categories = CATEGORIES.iter().map(|category| CategoryResult {
            name: category.name,
            results: category
                .checks
                .iter()
                .map(|check| CheckResult {
                    check,
                    outcome: (check.run)(crawl),
                })
                .collect(),
        });
        Self {
            target,
            tested_pages: crawl.pages.len(),
            total_pages: crawl.total_pages,
            is_partial: crawl.is_partial,
            categories: categories.collect(),
        }
    }

    fn results(&self) -> impl Iterator<Item = &CheckResult> {
        self.categories
            .iter()
            .flat_map(|category| &category.results)
    }

    /// The score from 0 to 100, rounded down: only a site without warnings has 100. Skipped checks
    /// do not count.
    pub(super) fn score(&self) -> u32 {
        score(self.results())
    }

    /// Number of results with a status.
    pub(super) fn count(&self, status: Status) -> usize {
        self.results()
            .filter(|result| result.outcome.status == status)
            .count()
    }

    /// The report as text.
    pub(super) fn text(&self) -> String {
        let mut out = format!("{}\n", self.target);
        for category in &self.categories {
            // Writing to a String cannot fail.
            let _ = writeln!(
                out,
                "\n{}: {}",
                category.name,
                score(category.results.iter())
            );
            for result in &category.results {
                let Outcome {
                    status, message, ..
                } = &result.outcome;
                let _ = writeln!(
                    out,
                    "  {:<8} {}: {message}",
                    status.as_str(),
                    result.check.id
                );
                if matches!(status, Status::Warning | Status::Failure) {
                    let _ = writeln!(out, "           hint: {}", result.check.hint);
                }
            }
        }
        let counts = [
            (Status::Pass, "passed"),
            (Status::Warning, "with warnings"),
            (Status::Failure, "failed"),
            (Status::Skipped, "skipped"),
        ];
        let counts: Vec<String> = counts
            .iter()
            .map(|(status, name)| format!("{} {name}", self.count(*status)))
            .collect();
        let _ = writeln!(
            out,
            "\nScore: {} of 100 ({}; {} of {} sampled)",
            self.score(),
            counts.join(", "),
            self.tested_pages,
            pluralize(self.total_pages, "page"),
        );
        if self.is_partial {
            out.push_str("A limit of the run was reached: some pages were not requested.\n");
        }
        escape_control_chars(&out)
    }

    /// The report as JSON.
    pub(super) fn json(&self) -> Value {
        let categories: Vec<Value> = self
            .categories
            .iter()
            .map(|category| {
                json!({
                    "name": category.name,
                    "score": score(category.results.iter()),
                    "checks": category.results.iter().map(CheckResult::json).collect::<Vec<_>>(),
                })
            })
            .collect();
        json!({
            "target": self.target,
            "score": self.score(),
            "pages": {"sampled": self.tested_pages, "total": self.total_pages},
            "partial": self.is_partial,
            "passed": self.count(Status::Pass),
            "warnings": self.count(Status::Warning),
            "failures": self.count(Status::Failure),
            "skipped": self.count(Status::Skipped),
            "categories": categories,
        })
    }
}

impl CheckResult {
    fn json(&self) -> Value {
        let mut value = json!({
            "id": self.check.id,
            "status": self.outcome.status.as_str(),
            "message": self.outcome.message,
            "weight": self.check.weight,
        });
        if matches!(self.outcome.status, Status::Warning | Status::Failure) {
            value["hint"] = self.check.hint.into();
        }
        value
    }
}

/// The weighted mean of the credits of the checks that were not skipped; 100 if there are none.
fn score<'a>(results: impl Iterator<Item = &'a CheckResult>) -> u32 {
    let (mut earned, mut possible) = (0.0, 0.0);
    for result in results.filter(|result| result.outcome.status != Status::Skipped) {
        let weight = f64::from(result.check.weight);
        earned += result.outcome.credit * weight;
        possible += weight;
    }
    if possible == 0.0 {
        return 100;
    }
    // Rounding errors of the sum must not take a point from a perfect site.
    (earned / possible * 100.0 + 1e-6) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    static CHECK: Check = Check {
        id: "a",
        weight: 10,
        hint: "Do it.",
        run: |_| Outcome::pass("x"),
    };
    static SMALL: Check = Check {
        id: "b",
        weight: 5,
        hint: "Do it.",
        run: |_| Outcome::pass("x"),
    };

    #[test]
    fn the_score_is_weighted_and_rounded_down() {
        let of = |outcomes: &[(&'static Check, Outcome)]| {
            let results: Vec<CheckResult> = outcomes
                .iter()
                .map(|(check, outcome)| CheckResult {
                    check,
                    outcome: outcome.clone(),
                })
                .collect();
            score(results.iter())
        };
        let (pass, warning) = (Outcome::pass(""), Outcome::warning(""));
        let (failure, skipped) = (Outcome::failure(""), Outcome::skipped(""));
        assert_eq!(of(&[(&CHECK, pass.clone()), (&SMALL, pass.clone())]), 100);
        assert_eq!(of(&[(&CHECK, pass.clone()), (&SMALL, warning)]), 83);
        assert_eq!(of(&[(&CHECK, failure), (&SMALL, pass.clone())]), 33);
        assert_eq!(of(&[(&CHECK, skipped), (&SMALL, pass)]), 100);
        assert_eq!(of(&[]), 100);
    }
}
