//! Cursor in a list of jobs, for pagination.
//!
//! A cursor identifies the last job of a page instead of an index: jobs that are added later appear
//! before the first page and shift nothing.

use super::Job;
use crate::id::JobId;
use crate::time::Timestamp;

/// Cursor after a job: `<milliseconds since 1970>.<id>`. Every text of this form is a valid cursor,
/// as documented by the pattern in the OpenAPI document.
pub fn cursor_after(job: &Job) -> String {
    format!("{}.{}", job.created_at.millis(), job.id)
}

/// Parses a cursor. Returns `None` for any other text.
pub fn parse_cursor(text: &str) -> Option<(Timestamp, JobId)> {
    let (millis, id) = text.split_once('.')?;
    let (number, id) = (millis.parse::<i64>().ok()?, JobId::parse(id)?);
    let time = Timestamp::from_millis(number);
    (time.millis().to_string() == millis).then_some((time, id))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_cursor_has_one_spelling(text in "[0-9+-]{0,16}[.][A-Za-z0-9_-]{0,60}") {
            if let Some((time, id)) = parse_cursor(&text) {
                prop_assert_eq!(format!("{}.{id}", time.millis()), text);
            }
        }

        #[test]
        fn every_text_of_the_documented_pattern_is_a_cursor(
            text in "(0|[1-9][0-9]{0,13})[.][A-Za-z0-9_-]{1,64}"
        ) {
            prop_assert!(parse_cursor(&text).is_some());
        }
    }

    #[test]
    fn invalid_cursors_are_rejected() {
        for text in [
            "", "1", "1.", ".a", "-5.a", "+5.a", "05.a", "5.a/b", "5.a.b",
        ] {
            assert_eq!(parse_cursor(text), None, "{text}");
        }
        assert!(parse_cursor("5.a").is_some());
    }
}
