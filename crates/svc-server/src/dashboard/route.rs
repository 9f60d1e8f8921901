//! Routes of the dashboard.

use svc_admin_api::{JobId, KeyId, ProjectId, ReaderSessionId, ReaderTokenId, StatusId};

/// A route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Route {
    /// List of projects.
    Home,
    SignIn,
    SignOut,
    /// The password of the account.
    Password,
    /// The color theme.
    Theme,
    /// Redirect to the OpenID Connect provider.
    Oidc,
    /// Redirect URI of the OpenID Connect provider.
    OidcReturn,
    Overview(ProjectId),
    Keys(ProjectId),
    RevokeKey(ProjectId, KeyId),
    /// Tokens and sessions of readers.
    Readers(ProjectId),
    RevokeReaderToken(ProjectId, ReaderTokenId),
    /// One session of a reader; `None` for all of the project.
    EndReaderSession(ProjectId, Option<ReaderSessionId>),
    Jobs(ProjectId),
    Job(ProjectId, JobId),
    MessageJob(ProjectId, JobId),
    EndJob(ProjectId, JobId, Ending),
    Deployments(ProjectId),
    Deployment(ProjectId, StatusId),
    RollBack(ProjectId, StatusId),
    Audit,
    Asset(String),
}

/// A change that ends a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Stops the running agent.
    Cancel,
    /// Archives the job permanently.
    Archive,
}

/// Route of a path; `None` if the path is unknown or contains an invalid name.
pub(super) fn find(path: &str) -> Option<Route> {
    let parts: Vec<&str> = path.strip_prefix('/')?.split('/').take(7).collect();
    let matched = match parts.as_slice() {
        [""] | ["projects"] => Route::Home,
        ["sign-in"] => Route::SignIn,
        ["sign-in", "oidc"] => Route::Oidc,
        ["sign-in", "oidc", "return"] => Route::OidcReturn,
        ["sign-out"] => Route::SignOut,
        ["password"] => Route::Password,
        ["theme"] => Route::Theme,
        ["audit"] => Route::Audit,
        ["assets", name] => Route::Asset((*name).to_owned()),
        ["projects", project, rest @ ..] => {
            let project = ProjectId::parse(project)?;
            match rest {
                [] => Route::Overview(project),
                ["keys"] => Route::Keys(project),
                ["keys", key, "revoke"] => Route::RevokeKey(project, KeyId::parse(key)?),
                ["readers"] => Route::Readers(project),
                ["readers", "tokens", token, "revoke"] => {
                    Route::RevokeReaderToken(project, ReaderTokenId::parse(token)?)
                }
                ["readers", "sessions", "end"] => Route::EndReaderSession(project, None),
                ["readers", "sessions", session, "end"] => {
                    Route::EndReaderSession(project, Some(ReaderSessionId::parse(session)?))
                }
                ["jobs"] => Route::Jobs(project),
                ["jobs", job] => Route::Job(project, JobId::parse(job)?),
                ["jobs", job, "message"] => Route::MessageJob(project, JobId::parse(job)?),
                ["jobs", job, "cancel"] => {
                    Route::EndJob(project, JobId::parse(job)?, Ending::Cancel)
                }
                ["jobs", job, "archive"] => {
                    Route::EndJob(project, JobId::parse(job)?, Ending::Archive)
                }
                ["deployments"] => Route::Deployments(project),
                ["deployments", id] => Route::Deployment(project, StatusId::parse(id)?),
                ["deployments", id, "roll-back"] => Route::RollBack(project, StatusId::parse(id)?),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(matched)
}

impl Route {
    /// Supported methods, in the format of `Allow`.
    pub(super) const fn methods(&self) -> &'static str {
        match self {
            Self::Home
            | Self::Oidc
            | Self::OidcReturn
            | Self::Overview(_)
            | Self::Job(..)
            | Self::Deployment(..)
            | Self::Audit
            | Self::Asset(_) => "GET, HEAD",
            Self::SignIn
            | Self::SignOut
            | Self::Password
            | Self::Keys(_)
            | Self::RevokeKey(..)
            | Self::Readers(_)
            | Self::RevokeReaderToken(..)
            | Self::EndReaderSession(..)
            | Self::Jobs(_)
            | Self::EndJob(..)
            | Self::Deployments(_)
            | Self::RollBack(..) => "GET, HEAD, POST",
            Self::MessageJob(..) | Self::Theme => "POST",
        }
    }
}

/// Path to redirect to after signing in: a page of the dashboard, never another site. An invalid
/// path leads to the list of projects.
pub(super) fn safe_return_path(target: &str) -> &str {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let plain = target.len() <= 2_000 && target.bytes().all(|byte| byte.is_ascii_graphic());
    let page = match find(path) {
        None
        | Some(
            Route::SignIn | Route::SignOut | Route::Oidc | Route::OidcReturn | Route::Asset(_),
        ) => false,
        Some(matched) => matched.methods().starts_with("GET"),
    };
    // A local path begins with one slash; two would begin a host.
    if plain && page && !target.contains('\\') {
        target
    } else {
        "/"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_return_path_stays_on_the_dashboard() {
        for good in [
            "/",
            "/audit?project=docs",
            "/projects/docs/keys",
            "/projects/docs/jobs?status=failed",
        ] {
            assert_eq!(safe_return_path(good), good);
        }
        for bad in [
            "",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/projects/docs/keys\r\nSet-Cookie: a=b",
            "/projects/../..//evil.example",
            "/sign-out",
            "/sign-in?to=/sign-in",
            "/projects/docs/jobs/a/message",
            "/nothing",
            " /",
        ] {
            assert_eq!(safe_return_path(bad), "/", "{bad:?}");
        }
    }

    #[test]
    fn invalid_names_have_no_route() {
        for path in [
            "",
            "projects",
            "/projects/",
            "/projects/a%2fb",
            "/projects/a/keys/",
            "/projects/a/jobs/a b",
            "/projects/a/jobs/b/c/d/e/f",
            "/assets/a/b",
            "/v2/agent",
        ] {
            assert_eq!(find(path), None, "{path}");
        }
    }
}
