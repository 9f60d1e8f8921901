//! The list of operations, and which one a request means.

use http::Method;

use crate::error::ApiError;
use crate::key::Scope;

/// One operation of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// Its name, which is `operationId` in the document.
    pub id: &'static str,
    /// Which document describes it.
    pub document: Document,
    /// `GET` or `POST`; an operation with `GET` has `HEAD` too.
    pub method: Verb,
    /// The address with parameters in braces.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Every status that it answers with, the successful one first.
    pub statuses: &'static [u16],
    pub(crate) action: Action,
}

/// The methods that the API has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Looks.
    Get,
    /// Changes.
    Post,
}

/// The two documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// `openapi/admin.json`.
    Admin,
    /// `openapi/deployment.json`.
    Deployment,
}

/// Who may call an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Public,
    /// Whoever has a key with this scope.
    Key(Scope),
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Describe,
    CreateJob,
    GetJob,
    MessageJob,
    CancelJob,
    ArchiveJob,
    ListJobs,
    Update,
    Status,
    Preview,
}

const READ: Access = Access::Key(Scope::Read);
const WRITE: Access = Access::Key(Scope::Write);

/// All operations. To add one: a line here, an arm in `dispatch`, a handler in its room, and its
/// description in the document; the tests compare the four.
pub static OPERATIONS: &[Operation] = &[
    Operation {
        id: "createAgentJob",
        document: Document::Admin,
        method: Verb::Post,
        path: "/v2/agent/{projectId}/job",
        access: WRITE,
        statuses: &[201, 400, 401, 403, 404, 405, 409, 413, 415, 429, 500, 503],
        action: Action::CreateJob,
    },
    Operation {
        id: "getAgentJob",
        document: Document::Admin,
        method: Verb::Get,
        path: "/v2/agent/{projectId}/job/{id}",
        access: READ,
        statuses: &[200, 401, 403, 404, 405, 429, 500, 503],
        action: Action::GetJob,
    },
    Operation {
        id: "messageAgentJob",
        document: Document::Admin,
        method: Verb::Post,
        path: "/v2/agent/{projectId}/job/{id}/message",
        access: WRITE,
        statuses: &[200, 400, 401, 403, 404, 405, 409, 413, 415, 429, 500, 503],
        action: Action::MessageJob,
    },
    Operation {
        id: "cancelAgentJob",
        document: Document::Admin,
        method: Verb::Post,
        path: "/v2/agent/{projectId}/job/{id}/cancel",
        access: WRITE,
        statuses: &[200, 400, 401, 403, 404, 405, 409, 413, 429, 500, 503],
        action: Action::CancelJob,
    },
    Operation {
        id: "archiveAgentJob",
        document: Document::Admin,
        method: Verb::Post,
        path: "/v2/agent/{projectId}/job/{id}/archive",
        access: WRITE,
        statuses: &[200, 400, 401, 403, 404, 405, 409, 413, 429, 500, 503],
        action: Action::ArchiveJob,
    },
    Operation {
        id: "listAgentJobs",
        document: Document::Admin,
        method: Verb::Get,
        path: "/v2/agent/{projectId}/jobs",
        access: READ,
        statuses: &[200, 400, 401, 403, 404, 405, 429, 500, 503],
        action: Action::ListJobs,
    },
    Operation {
        id: "getAdminDocument",
        document: Document::Admin,
        method: Verb::Get,
        path: "/v2/openapi.json",
        access: Access::Public,
        statuses: &[200, 405, 429],
        action: Action::Describe,
    },
    Operation {
        id: "updateProject",
        document: Document::Deployment,
        method: Verb::Post,
        path: "/v1/project/update/{projectId}",
        access: WRITE,
        statuses: &[202, 400, 401, 403, 404, 405, 409, 413, 429, 500, 503],
        action: Action::Update,
    },
    Operation {
        id: "getUpdateStatus",
        document: Document::Deployment,
        method: Verb::Get,
        path: "/v1/project/update-status/{statusId}",
        access: READ,
        statuses: &[200, 401, 403, 404, 405, 429, 500, 503],
        action: Action::Status,
    },
    Operation {
        id: "createPreview",
        document: Document::Deployment,
        method: Verb::Post,
        path: "/v1/project/preview/{projectId}",
        access: WRITE,
        statuses: &[202, 400, 401, 403, 404, 405, 409, 413, 415, 429, 500, 503],
        action: Action::Preview,
    },
    Operation {
        id: "getDeploymentDocument",
        document: Document::Deployment,
        method: Verb::Get,
        path: "/v1/openapi.json",
        access: Access::Public,
        statuses: &[200, 405, 429],
        action: Action::Describe,
    },
];

impl Verb {
    /// The name of it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }

    const fn allow(self) -> &'static str {
        match self {
            Self::Get => "GET, HEAD",
            Self::Post => "POST",
        }
    }

    fn is(self, method: &Method) -> bool {
        match self {
            Self::Get => method == Method::GET || method == Method::HEAD,
            Self::Post => method == Method::POST,
        }
    }
}

impl Operation {
    /// The status of success.
    pub fn success(&self) -> u16 {
        self.statuses.first().copied().unwrap_or(200)
    }

    /// The values of the parameters of an address, in order; nothing when it is another address.
    fn parameters(&self, path: &str) -> Option<Vec<String>> {
        let mut values = Vec::new();
        let mut segments = path.split('/');
        for part in self.path.split('/') {
            let segment = segments.next()?;
            if part.starts_with('{') {
                values.push(decode(segment).filter(|value| !value.is_empty())?);
            } else if part != segment {
                return None;
            }
        }
        segments.next().is_none().then_some(values)
    }
}

/// The operation of a request and the values of its parameters.
pub(crate) fn find(
    method: &Method,
    path: &str,
) -> Result<(&'static Operation, Vec<String>), ApiError> {
    // No address has two methods, so that the first one that fits decides.
    let found = OPERATIONS.iter().find_map(|operation| {
        let values = operation.parameters(path)?;
        Some((operation, values))
    });
    let (operation, values) = found.ok_or(ApiError::NotFound)?;
    if operation.method.is(method) {
        Ok((operation, values))
    } else {
        Err(ApiError::MethodNotAllowed(operation.method.allow()))
    }
}

/// Undoes percent-encoding.
fn decode(segment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            let digits = std::str::from_utf8(digits).ok()?;
            if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return None;
            }
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn addresses_and_names_are_unique() {
        let paths: BTreeSet<&str> = OPERATIONS.iter().map(|one| one.path).collect();
        let names: BTreeSet<&str> = OPERATIONS.iter().map(|one| one.id).collect();
        assert_eq!(
            (paths.len(), names.len()),
            (OPERATIONS.len(), OPERATIONS.len())
        );
    }

    #[test]
    fn every_operation_is_found_by_its_own_address() {
        for operation in OPERATIONS {
            let path = operation.path.replace(['{', '}'], "");
            let method = operation.method.as_str().parse().unwrap();
            assert_eq!(find(&method, &path).unwrap().0, operation);
        }
    }

    #[test]
    fn encoded_letters_are_the_letters() {
        let (_, values) = find(&Method::GET, "/v2/agent/d%6Fcs/job/a%2Fb").unwrap();
        assert_eq!(values, ["docs", "a/b"]);
        for path in [
            "/v2/agent/%/job/a",
            "/v2/agent/%4/job/a",
            "/v2/agent/%+1/job/a",
            "/v2/agent/%ff/job/a",
            "/v2/agent//job/a",
            "/v2/agent/docs/job/a/",
            "/v2/agent/docs/job/",
            "/v2/Agent/docs/jobs",
            "/",
            "",
            "*",
            "/v2/agent/docs/jobs/",
            "//v2/agent/docs/jobs",
        ] {
            assert_eq!(find(&Method::GET, path), Err(ApiError::NotFound), "{path}");
        }
    }
}
