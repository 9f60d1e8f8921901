//! The place in a list of jobs, as callers carry it from page to page.
//!
//! It names the last job that was shown, not a number of jobs: what is added meanwhile stands
//! before the first page and moves nothing.

use super::Job;
use crate::id::JobId;
use crate::time::Timestamp;

/// The cursor after a job: `<milliseconds since 1970>.<id>`. Every text of this form is a place, as
/// the description of the API says by its pattern.
pub fn cursor_after(job: &Job) -> String {
    format!("{}.{}", job.created_at.millis(), job.id)
}

/// Reads a cursor; nothing for what is none.
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
        fn only_one_text_means_a_place(text in "[0-9+-]{0,16}[.][A-Za-z0-9_-]{0,60}") {
            if let Some((time, id)) = parse_cursor(&text) {
                prop_assert_eq!(format!("{}.{id}", time.millis()), text);
            }
        }

        #[test]
        fn every_text_of_the_described_pattern_is_a_place(
            text in "(0|[1-9][0-9]{0,13})[.][A-Za-z0-9_-]{1,64}"
        ) {
            prop_assert!(parse_cursor(&text).is_some());
        }
    }

    #[test]
    fn what_was_never_given_out_is_refused() {
        for text in [
            "", "1", "1.", ".a", "-5.a", "+5.a", "05.a", "5.a/b", "5.a.b",
        ] {
            assert_eq!(parse_cursor(text), None, "{text}");
        }
        assert!(parse_cursor("5.a").is_some());
    }
}
