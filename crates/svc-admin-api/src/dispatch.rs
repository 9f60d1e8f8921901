//! Entry point of the API.

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};

use crate::auth;
use crate::context::{AuthenticatedRequest, Context};
use crate::deployment::{Deployments, handler};
use crate::error::ApiError;
use crate::rate_limit::{self, LimitClass};
use crate::router::{self, Access, Action, Document, Operation, Verb};
use crate::store::Store;
use crate::{agent_job, reply};

/// Server URL in the source of the documents.
const BASE_URL: &str = "\"http://127.0.0.1:8081\"";

/// Handles a request. Every request has a response; client errors and failures of the service are
/// an [`ApiError`].
pub async fn handle<S: Store, D: Deployments>(
    request: Request<Bytes>,
    context: &Context<'_, S, D>,
) -> Response<Bytes> {
    let result = dispatch(&request, context).await;
    let mut response = result.unwrap_or_else(|error| error.response());
    if request.method() == Method::HEAD {
        let length = HeaderValue::from(response.body().len());
        response
            .headers_mut()
            .insert(header::CONTENT_LENGTH, length);
        *response.body_mut() = Bytes::new();
    }
    response
}

async fn dispatch<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    context: &Context<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (operation, values) = router::find(request.method(), request.uri().path())?;
    if operation.access == Access::Public {
        let network = rate_limit::client_network(context.peer);
        let passed = context.clock.monotonic();
        context
            .limits
            .acquire(LimitClass::Public, &network, passed)?;
        return Ok(document_response(operation.document, context.base_url));
    }
    let now = context.clock.now();
    let key = auth::authenticate(request, context, now).await?;
    let call = AuthenticatedRequest {
        context,
        request,
        operation,
        path_values: &values,
        key: &key,
        now,
    };
    let result = run_operation(&call).await;
    if let Err(error) = &result
        && operation.method == Verb::Post
        && !matches!(error, ApiError::TooManyRequests(_))
    {
        let entry = call.audit_entry(audit_subject(operation, &values), error.status().as_u16());
        // The response does not depend on whether the entry could be stored.
        let _ = context.store.record(&entry).await;
    }
    result
}

/// Subject of a rejected call, if the path contains it.
fn audit_subject<'a>(operation: &Operation, values: &'a [String]) -> Option<&'a str> {
    let value = match operation.action {
        Action::MessageJob | Action::CancelJob | Action::ArchiveJob => values.get(1),
        _ => values.first(),
    };
    // Only valid ids, because the log must not contain arbitrary text from paths.
    value
        .map(String::as_str)
        .filter(|text| crate::JobId::parse(text).is_some())
}

async fn run_operation<S: Store, D: Deployments>(
    call: &AuthenticatedRequest<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (context, key) = (call.context, call.key);
    let passed = context.clock.monotonic();
    if !key.allows(context.peer) {
        // A key used from a disallowed network counts against the unauthenticated limit.
        let network = rate_limit::client_network(context.peer);
        context
            .limits
            .acquire(LimitClass::Unauthenticated, &network, passed)?;
        return Err(ApiError::IpNotAllowed);
    }
    context
        .limits
        .acquire(LimitClass::Key, key.id.as_str(), passed)?;
    if let Access::Key(scope) = call.operation.access
        && key.scope < scope
    {
        return Err(ApiError::InsufficientScope(scope));
    }
    match call.operation.action {
        Action::Describe => Ok(document_response(call.operation.document, context.base_url)),
        Action::CreateJob => agent_job::create(call).await,
        Action::GetJob => agent_job::get(call).await,
        Action::MessageJob => agent_job::message(call).await,
        Action::CancelJob => agent_job::cancel(call).await,
        Action::ArchiveJob => agent_job::archive(call).await,
        Action::ListJobs => agent_job::list(call).await,
        Action::Update => handler::update(call).await,
        Action::Status => handler::status(call).await,
        Action::Preview => handler::preview(call).await,
    }
}

/// An OpenAPI document with the origin of the API.
fn document_response(document: Document, base_url: &str) -> Response<Bytes> {
    let url = serde_json::Value::from(base_url).to_string();
    let text = document.text().replace(BASE_URL, &url);
    reply::raw(StatusCode::OK, Bytes::from(text))
}

impl Document {
    /// Source of the document, OpenAPI 3.1 as JSON.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Admin => include_str!("../openapi/admin.json"),
            Self::Deployment => include_str!("../openapi/deployment.json"),
        }
    }
}
