//! Errors of page requests.

use svc_admin_api::{ApiError, DeployError, RandomError, StoreError};

/// Reason why a page or action is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The request is not authenticated; contains the path to return to after signing in.
    SignIn(String),
    /// The page or object does not exist.
    NotFound,
    /// The path only supports these methods.
    Method(&'static str),
    /// The form was sent from another origin.
    CrossOrigin,
    /// The form belongs to another session.
    Stale,
    /// The body exceeds the size limit.
    TooLarge,
    /// The body is not a form.
    MediaType,
    /// The form is invalid; contains a message.
    Form(String),
    /// The action is not possible at the moment; contains a message.
    Conflict(String),
    /// Too many requests; contains the seconds to wait.
    TooMany(u64),
    /// A dependency is unavailable.
    Unavailable,
    /// The store is not open yet.
    StoreOpening,
    /// An internal error.
    Internal,
}

impl Refusal {
    /// Status of the response.
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

    /// Heading of the page.
    pub(super) const fn title(&self) -> &'static str {
        match self {
            Self::SignIn(_) => "Sign in",
            Self::NotFound => "Page not found",
            Self::Method(_) => "Method not allowed",
            Self::CrossOrigin => "Form from another origin",
            Self::Stale => "This form is out of date",
            Self::TooLarge => "Request too large",
            Self::MediaType => "Unsupported content type",
            Self::Form(_) => "Invalid form",
            Self::Conflict(_) => "Not possible at the moment",
            Self::TooMany(_) => "Too many requests",
            Self::Unavailable | Self::StoreOpening => "Not available at the moment",
            Self::Internal => "Internal server error",
        }
    }

    /// Explanation and next step.
    pub(super) fn text(&self) -> String {
        let text = match self {
            Self::SignIn(_) => "Sign in to see this page.",
            Self::NotFound => {
                "This page does not exist. It may have been removed, or the URL may be misspelled."
            }
            Self::Method(_) => {
                "Open the page with the form and submit it from there. Nothing was changed."
            }
            Self::CrossOrigin => {
                "For your security, forms are only accepted from pages of this dashboard. Nothing was changed. Open the page here and try again; behind a proxy, check the setting `origin`."
            }
            Self::Stale => {
                "You have signed in again since the page was opened. Nothing was changed. Go back, reload the page and submit the form again."
            }
            Self::TooLarge => "The form contains too much text. Shorten it and submit it again.",
            Self::MediaType => "The request must be a form of this dashboard.",
            Self::Form(reason) | Self::Conflict(reason) => return sentence(reason),
            Self::TooMany(seconds) => {
                return format!(
                    "Too many requests were sent in a short time. Try again in {}.",
                    format_wait(*seconds)
                );
            }
            Self::Unavailable => {
                "The database or a part of the server is unavailable. Your data is safe; try again in a few seconds."
            }
            Self::StoreOpening => {
                "The database of the dashboard cannot be opened. The log of the server contains the reason and the next step. The sites are still served. The server retries automatically: reload this page later."
            }
            Self::Internal => {
                "The error was logged. Try again, and contact the operator if it persists."
            }
        };
        text.to_owned()
    }
}

/// Formats a delay.
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

/// Formats an error message as a sentence.
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
            DeployError::Rejected(reason) => Self::Conflict(reason),
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
            ApiError::NotDeployable(reason) => Self::Conflict(reason),
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
