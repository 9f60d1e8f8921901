//! Every way a request for a page can end without that page.

use svc_admin_api::{ApiError, DeployError, RandomError, StoreError};

/// Why there is no such page, or no such act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Nobody is signed in; the address is where to go afterwards.
    SignIn(String),
    /// Nothing of that name.
    NotFound,
    /// The address has only these methods.
    Method(&'static str),
    /// The form was sent from somewhere else.
    CrossOrigin,
    /// The form belongs to another session, or to none.
    Stale,
    /// The body has too many bytes.
    TooLarge,
    /// The body is no form.
    MediaType,
    /// What the form says does not fit; says why.
    Form(String),
    /// What is asked for does not go at the moment; says why.
    Conflict(String),
    /// Too often; carries the seconds to wait.
    TooMany(u64),
    /// What the page needs is not there at the moment.
    Unavailable,
    /// The store is not open yet.
    StoreOpening,
    /// A fault of the program.
    Internal,
}

impl Refusal {
    /// The status of the response.
    pub(super) const fn status(&self) -> u16 {
        match self {
            Self::SignIn(_) => 303,
            Self::NotFound => 404,
            Self::Method(_) => 405,
            Self::CrossOrigin | Self::Stale => 403,
            Self::TooLarge => 413,
            Self::MediaType => 415,
            Self::Form(_) => 400,
            Self::Conflict(_) => 409,
            Self::TooMany(_) => 429,
            Self::Unavailable | Self::StoreOpening => 503,
            Self::Internal => 500,
        }
    }

    /// The heading of its page.
    pub(super) const fn title(&self) -> &'static str {
        match self {
            Self::SignIn(_) => "Sign in",
            Self::NotFound => "Page not found",
            Self::Method(_) => "This address works differently",
            Self::CrossOrigin => "This form came from somewhere else",
            Self::Stale => "This form is out of date",
            Self::TooLarge => "That is too long",
            Self::MediaType => "That is no form",
            Self::Form(_) => "Something in the form does not fit",
            Self::Conflict(_) => "That is not possible now",
            Self::TooMany(_) => "Too many requests",
            Self::Unavailable | Self::StoreOpening => "Not available at the moment",
            Self::Internal => "Something went wrong here",
        }
    }

    /// What the reader should know and do.
    pub(super) fn text(&self) -> String {
        let text = match self {
            Self::SignIn(_) => "Sign in to see this page.",
            Self::NotFound => {
                "There is nothing at this address. It may have been removed, or the address has a \
                 slip in it."
            }
            Self::Method(_) => {
                "Open the page that has the form and send it from there. Nothing was changed."
            }
            Self::CrossOrigin => {
                "For your safety, forms are only taken from pages of this dashboard. Nothing was \
                 changed. Open the page here and try again; behind a proxy, check the setting \
                 `origin`."
            }
            Self::Stale => {
                "You have signed in again since the page was opened. Nothing was changed. Go back, \
                 load the page again and send the form once more."
            }
            Self::TooLarge => "The form has more text than fits. Shorten it and send it again.",
            Self::MediaType => "The request has to be a form of this dashboard.",
            Self::Form(why) | Self::Conflict(why) => return sentence(why),
            Self::TooMany(seconds) => {
                return format!(
                    "There were too many requests in a short time. Try again in {}.",
                    format_wait(*seconds)
                );
            }
            Self::Unavailable => {
                "The database or a part of the server cannot be reached. Your data is safe; try \
                 again in a few seconds."
            }
            Self::StoreOpening => {
                "The database behind these pages cannot be opened. The log of the server says why, \
                 and what to do about it. Readers see the sites all the same. The server tries \
                 again by itself: load this page again in a while."
            }
            Self::Internal => "It has been noted. Try again, and tell the operator if it stays.",
        };
        text.to_owned()
    }
}

/// A wait in words.
pub(super) fn format_wait(seconds: u64) -> String {
    let count = |number: u64, unit: &str| {
        let s = if number == 1 { "" } else { "s" };
        format!("{number} {unit}{s}")
    };
    if seconds < 60 {
        count(seconds.max(1), "second")
    } else {
        count(seconds.div_ceil(60), "minute")
    }
}

/// A phrase of an error as a sentence.
pub(super) fn sentence(phrase: &str) -> String {
    let mut letters = phrase.chars();
    let first = letters.next().map(char::to_uppercase);
    let mut text: String = first.into_iter().flatten().chain(letters).collect();
    if !text.ends_with(['.', '!', '?', '…']) {
        text.push('.');
    }
    text
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::Unavailable,
            StoreError::Corrupt(_) => Self::Internal,
        }
    }
}

impl From<RandomError> for Refusal {
    fn from(_: RandomError) -> Self {
        Self::Unavailable
    }
}

impl From<DeployError> for Refusal {
    fn from(error: DeployError) -> Self {
        match error {
            DeployError::UnknownProject => Self::NotFound,
            DeployError::Rejected(why) => Self::Conflict(why),
            DeployError::Unavailable(_) => Self::Unavailable,
        }
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        match error {
            ApiError::NotFound => Self::NotFound,
            ApiError::TooManyRequests(seconds) => Self::TooMany(seconds),
            ApiError::TooLarge => Self::TooLarge,
            ApiError::Unavailable => Self::Unavailable,
            ApiError::Internal => Self::Internal,
            ApiError::NotDeployable(why) => Self::Conflict(why),
            ApiError::NotCompleted(_) | ApiError::NotFinished(_) | ApiError::NoAgent => {
                Self::Conflict(error.body().error)
            }
            other => Self::Form(other.body().error),
        }
    }
}

impl From<askama::Error> for Refusal {
    fn from(_: askama::Error) -> Self {
        Self::Internal
    }
}
