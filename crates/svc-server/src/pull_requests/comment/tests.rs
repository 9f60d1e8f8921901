//! The Markdown of comments.

use svc_diagnostics::{DiagnosticCode, SourceFile, Span};
use svc_openapi::{Change, Effect};

use super::*;

static BROKEN: DiagnosticCode = DiagnosticCode::warning("link-broken", "a link");
static OTHER: DiagnosticCode = DiagnosticCode::error("mdx-syntax", "a text");

fn state(phase: Phase) -> RequestState {
    RequestState {
        phase,
        commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
        preview: "pr-12".to_owned(),
        host: None,
        summary: "1 page, 1 error; docs.json:1:1: `x` is not valid @ada #1\nmore".to_owned(),
        at: 1_795_000_000_000,
    }
}

fn text(phase: Phase, comparison: Option<&SiteComparison>, report: Option<&Report>) -> String {
    render(&CommentContent {
        marker: "<!-- svc:1 -->",
        project: "docs",
        state: &state(phase),
        url: Some("https://pr-12.example.com/"),
        comparison,
        report,
        line_url: &|file, line| format!("https://forge.example/{file}#L{line}"),
    })
}

fn page(kind: PageChangeKind, path: &str, title: &str) -> PageChange {
    PageChange {
        kind,
        path: path.to_owned(),
        title: title.to_owned(),
    }
}

#[test]
fn a_comment_lists_pages_problems_and_breaking_changes() {
    let file = SourceFile::new("index.mdx", "a\n[b](/x)\n");
    let at = file.location(Span { start: 2, end: 3 });
    let comparison = SiteComparison {
        pages: vec![
            page(PageChangeKind::Changed, "/", "Home"),
            page(PageChangeKind::Added, "/a (b)", "New *page*"),
            page(PageChangeKind::Removed, "/old", "Old"),
            page(
                PageChangeKind::Moved {
                    from: "/from".to_owned(),
                },
                "/to",
                "",
            ),
        ],
        problems: vec![
            Diagnostic::new(&BROKEN, "the page `/x` does not exist")
                .at(at.clone())
                .hint("did you mean `/y`?"),
            Diagnostic::new(&OTHER, "a text").at(at),
        ],
        fixed: 2,
        breaking: vec![Change {
            rule: "operation-removed",
            effect: Effect::Breaking,
            operation: "GET /pets".to_owned(),
            message: "`GET /pets` was removed".to_owned(),
            old: None,
            new: None,
        }],
    };
    let expected = "<!-- svc:1 -->

The **[preview of `docs`](https://pr-12.example.com/)** shows `0123456789`, built at 2026-11-18 11:06 UTC.

**4 pages** differ from the site:

- changed: [Home](https://pr-12.example.com/?changes)
- added: [New \\*page\\*](https://pr-12.example.com/a%20%28b%29?changes)
- removed: Old (`/old`)
- moved: [`/to`](https://pr-12.example.com/to?changes), from `/from`

**1 new broken link:**

- [`index.mdx:2`](https://forge.example/index.mdx#L2) `link-broken`: the page `/x` does not exist (did you mean `/y`?)

**1 new problem:**

- [`index.mdx:2`](https://forge.example/index.mdx#L2) `mdx-syntax`: a text

**2 problems fixed.**

**1 breaking change** of the API:

- `GET /pets`: `GET /pets` was removed
";
    assert_eq!(text(Phase::Success, Some(&comparison), None), expected);
}

#[test]
fn a_failure_quotes_its_reason_and_lists_errors() {
    let report = Report {
        diagnostics: serde_json::json!([
            {"code": "data-syntax", "severity": "error", "message": "bad", "file": "docs.json", "line": 3},
            {"code": "x", "severity": "warning", "message": "not shown"},
        ]),
        ..Report::default()
    };
    let text = text(Phase::Failure, None, Some(&report));
    let quote = "> 1 page, 1 error; docs.json";
    assert!(!text.contains(quote), "{text}");
    assert!(
        text.contains("\n> 1 page, 1 error; docs\\.json\\:\u{200b}1"),
        "{text}"
    );
    assert!(
        text.contains("`x` is not valid \\@\u{200b}ada \\#\u{200b}1\n"),
        "{text}"
    );
    assert!(text.contains("**1 error:**\n\n- [`docs.json:3`](https://forge.example/docs.json#L3) `data-syntax`: bad\n"), "{text}");
    assert!(
        !text.contains("more") && !text.contains("not shown"),
        "{text}"
    );
}

#[test]
fn a_comment_stays_within_the_limit_and_counts_the_rest() {
    let title = "<b>@ada</b> #1 ".repeat(100);
    let pages = (0..3_000).map(|number| {
        page(
            PageChangeKind::Changed,
            &format!("/{number}{}", "(".repeat(900)),
            &title,
        )
    });
    let problem = Diagnostic::new(&OTHER, "@ada `".repeat(1000));
    let comparison = SiteComparison {
        pages: pages.collect(),
        problems: vec![problem; 500],
        ..SiteComparison::default()
    };
    let text = text(Phase::Success, Some(&comparison), None);
    assert!(text.len() <= MAX_COMMENT_BYTES, "{}", text.len());
    assert!(text.contains(" more\n") && text.contains("**3000 pages** differ"));
    for markup in ["@ada", "<b>", " #1"] {
        assert!(!text.contains(markup), "{markup}");
    }
}

#[test]
fn the_end_of_a_preview_is_a_sentence() {
    let removed = text(Phase::Removed, None, None);
    assert!(
        removed.contains("was removed at 2026-11-18 11:06 UTC"),
        "{removed}"
    );
    let closed = text(Phase::Closed, None, None);
    assert!(closed.contains("\nClosed. The last commit"), "{closed}");
    assert!(!closed.contains("https://pr-12"), "{closed}");
}
