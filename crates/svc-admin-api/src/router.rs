//! The list of operations, and routing.

use http::Method;
use percent_encoding::percent_decode_str;

use crate::error::ApiError;
use crate::key::Scope;

/// An operation of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// `operationId` in the OpenAPI document.
    pub id: &'static str,
    /// The OpenAPI document that describes the operation.
    pub document: Document,
    /// `GET` or `POST`; operations with `GET` also support `HEAD`.
    pub method: Verb,
    /// Path template with parameters in braces.
    pub path: &'static str,
    /// Required authorization.
    pub access: Access,
    /// All statuses of responses, the successful one first.
    pub statuses: &'static [u16],
    pub(crate) action: Action,
}

/// HTTP method of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Reads.
    Get,
    /// Changes.
    Post,
}

/// An OpenAPI document of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// `openapi/admin.json`.
    Admin,
    /// `openapi/deployment.json`.
    Deployment,
}

/// Authorization that an operation requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// None.
    Public,
    /// A key with this scope.
    Key(Scope),
}

/// Handler of an operation.
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

/// All operations. To add one: a line here, an arm in `dispatch`, a handler in its module, and its
/// description in the document. Tests compare all four.
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
    /// Name of the method.
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
    /// Status of a successful response.
    pub fn success(&self) -> u16 {
        self.statuses.first().copied().unwrap_or(200)
    }

    /// Values of the path parameters, in order; `None` if the path does not match the template.
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

/// Finds the operation of a request and the values of its path parameters.
pub(crate) fn find(
    method: &Method,
    path: &str,
) -> Result<(&'static Operation, Vec<String>), ApiError> {
    // A path has a single method, so the first match decides.
    let matched = OPERATIONS.iter().find_map(|operation| {
        let values = operation.parameters(path)?;
        Some((operation, values))
    });
    let (operation, values) = matched.ok_or(ApiError::NotFound)?;
    if operation.method.is(method) {
        Ok((operation, values))
    } else {
        Err(ApiError::MethodNotAllowed(operation.method.allow()))
    }
}

/// Decodes percent-encoding. Returns `None` if it is invalid.
fn decode(segment: &str) -> Option<String> {
    let is_escape = |rest: &str| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if !segment.split('%').skip(1).all(is_escape) {
        return None;
    }
    let decoded = percent_decode_str(segment).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn paths_and_ids_of_operations_are_unique() {
        let paths: BTreeSet<&str> = OPERATIONS.iter().map(|item| item.path).collect();
        let names: BTreeSet<&str> = OPERATIONS.iter().map(|item| item.id).collect();
        assert_eq!(
            (paths.len(), names.len()),
            (OPERATIONS.len(), OPERATIONS.len())
        );
    }

    #[test]
    fn every_operation_is_routed_by_its_path() {
        for operation in OPERATIONS {
            let path = operation.path.replace(['{', '}'], "");
            let method = operation.method.as_str().parse().unwrap();
            assert_eq!(find(&method, &path).unwrap().0, operation);
        }
    }

    #[test]
    fn percent_encoded_paths_are_decoded() {
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
