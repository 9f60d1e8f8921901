//! The front door.

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};

use crate::auth;
use crate::context::{AuthenticatedRequest, Context};
use crate::deployment::Deployments;
use crate::error::ApiError;
use crate::rate_limit::{self, LimitClass};
use crate::router::{self, Access, Action, Document, Operation, Verb};
use crate::store::Store;
use crate::{agent_job, deployment, reply};

/// The address of the API in the documents as they are written.
const BASE_URL: &str = "\"http://127.0.0.1:8081\"";

/// Answers one request. Every request gets a response; what a caller does wrong, and what the
/// service cannot do, is an [`ApiError`].
pub async fn handle<S: Store, D: Deployments>(
    request: Request<Bytes>,
    context: &Context<'_, S, D>,
) -> Response<Bytes> {
    let answered = dispatch(&request, context).await;
    let mut response = answered.unwrap_or_else(|error| error.response());
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
    let answered = run_operation(&call).await;
    if let Err(error) = &answered
        && operation.method == Verb::Post
        && !matches!(error, ApiError::TooManyRequests(_))
    {
        let entry = call.audit_entry(audit_subject(operation, &values), error.status().as_u16());
        // The refusal stands, whether or not it can be noted.
        let _ = context.store.record(&entry).await;
    }
    answered
}

/// What a refused call was about, as far as its address tells.
fn audit_subject<'a>(operation: &Operation, values: &'a [String]) -> Option<&'a str> {
    let value = match operation.action {
        Action::MessageJob | Action::CancelJob | Action::ArchiveJob => values.get(1),
        _ => values.first(),
    };
    // Names only: the log is no place for whatever fits into an address.
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
        // Whoever has somebody else's key is a stranger.
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
        Action::Update => deployment::update(call).await,
        Action::Status => deployment::status(call).await,
        Action::Preview => deployment::preview(call).await,
    }
}

/// A document, with the address where the API answers.
fn document_response(document: Document, base_url: &str) -> Response<Bytes> {
    let url = serde_json::Value::from(base_url).to_string();
    let text = document.text().replace(BASE_URL, &url);
    reply::raw(StatusCode::OK, Bytes::from(text))
}

impl Document {
    /// The document itself, OpenAPI 3.1 as JSON.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Admin => include_str!("../openapi/admin.json"),
            Self::Deployment => include_str!("../openapi/deployment.json"),
        }
    }
}
