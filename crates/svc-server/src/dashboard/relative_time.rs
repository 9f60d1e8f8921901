//! Relative times, such as "2 days ago", with the exact time as a tooltip.

use askama::Template;
use askama::filters::HtmlSafe;
use svc_admin_api::Timestamp;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A time as an HTML element.
#[derive(Debug, Clone, Template)]
#[template(
    source = r#"<time datetime="{{ exact }}" title="{{ full }}">{{ text }}</time>"#,
    ext = "html"
)]
pub(super) struct RelativeTime {
    exact: String,
    full: String,
    text: String,
}

impl HtmlSafe for RelativeTime {}

impl RelativeTime {
    pub(super) fn new(at: Timestamp, now: Timestamp) -> Self {
        Self {
            exact: at.to_string(),
            full: full(at),
            text: relative_text(at, now),
        }
    }
}

/// Formats a time such as `2026-11-21 08:30:00 UTC`.
fn full(at: Timestamp) -> String {
    let text = at.to_string();
    let (day, time) = text.split_once('T').unwrap_or((&text, ""));
    let time = time.split('.').next().unwrap_or_default();
    format!("{day} {time} UTC")
}

fn relative_text(at: Timestamp, now: Timestamp) -> String {
    let seconds = (now.millis() - at.millis()) / 1000;
    let count = |number: i64, unit: &str| {
        let s = if number == 1 { "" } else { "s" };
        format!("{number} {unit}{s}")
    };
    let size = seconds.abs();
    let long = match size {
        _ if size < 45 => {
            return if seconds < 0 {
                "in a moment"
            } else {
                "just now"
            }
            .to_owned();
        }
        _ if size < HOUR => count(size.div_euclid(MINUTE).max(1), "minute"),
        _ if size < DAY => count(size / HOUR, "hour"),
        _ if size < 45 * DAY => count(size / DAY, "day"),
        _ => {
            let day = at.to_string();
            return day.split('T').next().unwrap_or_default().to_owned();
        }
    };
    if seconds < 0 {
        format!("in {long}")
    } else {
        format!("{long} ago")
    }
}

/// Formats a relative time as plain text.
pub(super) fn ago(now: Timestamp) -> impl Fn(Timestamp) -> String {
    move |at| relative_text(at, now)
}

/// Formats a duration such as `42 s` or `3 min 5 s`.
pub(super) fn span(from: Timestamp, to: Timestamp) -> String {
    let seconds = (to.millis() - from.millis()).max(0) / 1000;
    match seconds {
        0 => "under 1 s".to_owned(),
        _ if seconds < MINUTE => format!("{seconds} s"),
        _ if seconds < HOUR => format!("{} min {} s", seconds / MINUTE, seconds % MINUTE),
        _ => format!("{} h {} min", seconds / HOUR, seconds % HOUR / MINUTE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_relative_and_exact() {
        let now = Timestamp::from_millis(1_795_219_200_000);
        let at = |seconds: i64| Timestamp::from_millis(now.millis() - seconds * 1000);
        for (seconds, text) in [
            (0, "just now"),
            (-10, "in a moment"),
            (50, "1 minute ago"),
            (3_599, "59 minutes ago"),
            (3_600, "1 hour ago"),
            (2 * DAY + 5, "2 days ago"),
            (-30 * DAY, "in 30 days"),
            (90 * DAY, "2026-08-23"),
        ] {
            assert_eq!(relative_text(at(seconds), now), text);
        }
        let shown = RelativeTime::new(at(120), now).to_string();
        assert_eq!(
            shown,
            "<time datetime=\"2026-11-20T23:58:00.000Z\" title=\"2026-11-20 23:58:00 UTC\">2 minutes ago</time>"
        );
    }

    #[test]
    fn spans_have_one_or_two_units() {
        let at = |seconds: i64| Timestamp::from_millis(seconds * 1000);
        assert_eq!(span(at(5), at(4)), "under 1 s");
        assert_eq!(span(at(0), at(59)), "59 s");
        assert_eq!(span(at(0), at(185)), "3 min 5 s");
        assert_eq!(span(at(0), at(3_720)), "1 h 2 min");
    }
}
