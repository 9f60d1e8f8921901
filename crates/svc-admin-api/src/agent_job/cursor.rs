//! The place in a list of jobs, as callers carry it from page to page.
//!
//! It names the last job that was shown, not a number of jobs: what is added meanwhile stands
//! before the first page and moves nothing.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::Job;
use crate::id::JobId;
use crate::time::Timestamp;

/// The longest that is looked at.
const LONGEST: usize = 200;

/// The cursor after a job.
pub fn after(job: &Job) -> String {
    URL_SAFE_NO_PAD.encode(format!("1.{}.{}", job.created_at.millis(), job.id))
}

/// Reads a cursor; nothing for what [`after`] never wrote.
pub fn parse(text: &str) -> Option<(Timestamp, JobId)> {
    if text.len() > LONGEST {
        return None;
    }
    let inner = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let (millis, id) = inner.strip_prefix("1.")?.split_once('.')?;
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
        fn only_one_text_means_a_place(text in "[A-Za-z0-9_-]{0,60}") {
            if let Some((time, id)) = parse(&text) {
                let again = URL_SAFE_NO_PAD.encode(format!("1.{}.{id}", time.millis()));
                prop_assert_eq!(again, text);
            }
        }
    }

    #[test]
    fn what_was_never_given_out_is_refused() {
        for inner in [
            "", "1", "1.", "1.5", "1.5.", "2.5.a", "1.-5.a", "1.+5.a", "1.05.a", "1.5.a/b",
        ] {
            assert_eq!(parse(&URL_SAFE_NO_PAD.encode(inner)), None, "{inner}");
        }
        assert!(parse(&URL_SAFE_NO_PAD.encode("1.5.a")).is_some());
    }
}
