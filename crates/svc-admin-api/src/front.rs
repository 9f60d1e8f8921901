//! The front door.

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};

use crate::auth;
use crate::call::{Call, Context};
use crate::deployment::Deployments;
use crate::error::ApiError;
use crate::limits::{self, Rule};
use crate::router::{self, Access, Act, Document, Operation, Verb};
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
    let answered = answer(&request, context).await;
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

async fn answer<S: Store, D: Deployments>(
    request: &Request<Bytes>,
    context: &Context<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (operation, values) = router::find(request.method(), request.uri().path())?;
    if operation.access == Access::Public {
        let network = limits::network(context.peer);
        let passed = context.clock.monotonic();
        context.limits.take(Rule::Public, &network, passed)?;
        return Ok(describe(operation.document, context.base_url));
    }
    let now = context.clock.now();
    let key = auth::authenticate(request, context, now).await?;
    let call = Call {
        context,
        request,
        operation,
        values: &values,
        key: &key,
        now,
    };
    let answered = permitted(&call).await;
    if let Err(error) = &answered
        && operation.method == Verb::Post
        && !matches!(error, ApiError::TooMany(_))
    {
        let entry = call.entry(subject(operation, &values), error.status().as_u16());
        // The refusal stands, whether or not it can be noted.
        let _ = context.store.record(&entry).await;
    }
    answered
}

/// What a refused call was about, as far as its address tells.
fn subject<'a>(operation: &Operation, values: &'a [String]) -> Option<&'a str> {
    let value = match operation.act {
        Act::MessageJob | Act::CancelJob | Act::ArchiveJob => values.get(1),
        _ => values.first(),
    };
    // Names only: the log is no place for whatever fits into an address.
    value
        .map(String::as_str)
        .filter(|text| crate::JobId::parse(text).is_some())
}

async fn permitted<S: Store, D: Deployments>(
    call: &Call<'_, S, D>,
) -> Result<Response<Bytes>, ApiError> {
    let (context, key) = (call.context, call.key);
    let passed = context.clock.monotonic();
    if !key.allows(context.peer) {
        // Whoever has somebody else's key is a stranger.
        let network = limits::network(context.peer);
        context.limits.take(Rule::Stranger, &network, passed)?;
        return Err(ApiError::Address);
    }
    context.limits.take(Rule::Key, key.id.as_str(), passed)?;
    if let Access::Key(scope) = call.operation.access
        && key.scope < scope
    {
        return Err(ApiError::Scope(scope));
    }
    match call.operation.act {
        Act::Describe => Ok(describe(call.operation.document, context.base_url)),
        Act::CreateJob => agent_job::create(call).await,
        Act::GetJob => agent_job::get(call).await,
        Act::MessageJob => agent_job::message(call).await,
        Act::CancelJob => agent_job::cancel(call).await,
        Act::ArchiveJob => agent_job::archive(call).await,
        Act::ListJobs => agent_job::list(call).await,
        Act::Update => deployment::update(call).await,
        Act::Status => deployment::status(call).await,
        Act::Preview => deployment::preview(call).await,
    }
}

/// A document, with the address where the API answers.
fn describe(document: Document, base_url: &str) -> Response<Bytes> {
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
