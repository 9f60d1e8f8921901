//! Handles the requests of the control socket.

use http::request::Parts;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::Webhooks;
use crate::deploy::{
    DeployRequest, Deployer, Deployment, DeploymentState, PublishTarget, Reference, Trigger,
    TriggerError,
};

type JsonReply = (StatusCode, Value);

/// State shared by the handlers.
#[derive(Debug, Clone)]
pub(super) struct ControlContext {
    pub(super) deployer: Deployer,
    /// Lists the previews.
    pub(super) webhooks: Webhooks,
}

pub(super) fn handle(context: &ControlContext, parts: &Parts, body: &[u8]) -> JsonReply {
    let deployer = &context.deployer;
    let path: Vec<&str> = parts.uri.path().split('/').skip(1).collect();
    let body: Value = match body {
        [] => json!({}),
        body => match serde_json::from_slice(body) {
            Ok(value) => value,
            Err(error) => {
                return refusal(StatusCode::BAD_REQUEST, &format!("no JSON: {error}"));
            }
        },
    };
    let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
    match (&parts.method, path.as_slice()) {
        (&Method::GET, ["projects"]) => (StatusCode::OK, projects(context)),
        (&Method::GET, ["deployments"]) => {
            let query = parts.uri.query().unwrap_or_default();
            let project = query.strip_prefix("project=").filter(|id| !id.is_empty());
            let all = deployer.list(project);
            let all: Vec<Value> = all
                .iter()
                .map(|deployment| deployment_json(context, deployment))
                .collect();
            (StatusCode::OK, json!({ "deployments": all }))
        }
        (&Method::GET, ["deployments", id]) => deployment_reply(context, id),
        (&Method::POST, ["deployments"]) => {
            let triggered = deployer.projects().into_iter().map(|project| {
                let request = DeployRequest::live(project, Trigger::Command);
                deployer.trigger(request)
            });
            match triggered.collect::<Result<Vec<String>, TriggerError>>() {
                Ok(ids) => (StatusCode::ACCEPTED, json!({ "deployments": ids })),
                Err(reason) => trigger_error(&reason),
            }
        }
        (&Method::POST, ["projects", project, "deployments"]) => {
            let request = DeployRequest {
                reference: Reference {
                    branch: text("branch"),
                    reference: None,
                },
                ..DeployRequest::live(*project, Trigger::Command)
            };
            match deployer.trigger(request) {
                Ok(id) => (StatusCode::ACCEPTED, json!({ "deployments": [id] })),
                Err(reason) => trigger_error(&reason),
            }
        }
        (&Method::POST, ["projects", project, "previews"]) => {
            let branch = text("branch").unwrap_or_default();
            let created = context
                .webhooks
                .preview(project, &branch, &Trigger::Command);
            match created {
                Ok(id) => (
                    StatusCode::ACCEPTED,
                    json!({
                        "deployments": [id],
                        "address": deployer.get(&id).and_then(|deployment| preview_url(context, &deployment)),
                    }),
                ),
                Err(reason) => trigger_error(&reason),
            }
        }
        (&Method::POST, ["projects", project, "rollback"]) => {
            match deployer.rollback(project, text("deployment").as_deref()) {
                Ok(result) => (
                    StatusCode::OK,
                    json!({ "deployment": deployment_json(context, &result) }),
                ),
                Err(reason) => trigger_error(&reason),
            }
        }
        _ => refusal(StatusCode::NOT_FOUND, "not found"),
    }
}

/// Response after a panic.
pub(super) fn internal_error() -> JsonReply {
    refusal(StatusCode::INTERNAL_SERVER_ERROR, "internal server error")
}

fn projects(context: &ControlContext) -> Value {
    let deployer = &context.deployer;
    let projects: Vec<Value> = deployer
        .projects()
        .iter()
        .map(|project| {
            let all = deployer.list(Some(project));
            let list = || all.iter().filter(|item| item.target == PublishTarget::Live);
            let live = list().find(|item| item.state == DeploymentState::Live);
            let previews = context.webhooks.previews(project).into_iter().map(|item| {
                let mut value = deployment_json(context, &item.deployment);
                if let Value::Object(fields) = &mut value {
                    fields.insert("expires".to_owned(), json!(item.expires));
                }
                value
            });
            let targets = deployer.targets(project);
            json!({
                "id": project,
                "live": live.map(|item| deployment_json(context, item)),
                "newest": list().next().map(|item| deployment_json(context, item)),
                "previews": previews.collect::<Vec<_>>(),
                "targets": targets.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({ "projects": projects })
}

fn deployment_reply(context: &ControlContext, id: &str) -> JsonReply {
    let deployer = &context.deployer;
    let entry = deployer.get(id).zip(deployer.report(id));
    let Some((deployment, report)) = entry else {
        let reason = format!("deployment `{id}` does not exist");
        return refusal(StatusCode::NOT_FOUND, &reason);
    };
    let value = json!({ "deployment": deployment_json(context, &deployment), "report": report });
    (StatusCode::OK, value)
}

fn deployment_json(context: &ControlContext, deployment: &Deployment) -> Value {
    let mut value = serde_json::to_value(deployment).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        let is_restorable = context.deployer.is_restorable(deployment);
        fields.insert("kept".to_owned(), is_restorable.into());
        if let Some(progress) = context.deployer.progress(&deployment.id) {
            fields.insert("progress".to_owned(), progress.into());
        }
        if let Some(url) = preview_url(context, deployment) {
            fields.insert("address".to_owned(), url.into());
        }
    }
    value
}

/// URL of a preview.
fn preview_url(context: &ControlContext, deployment: &Deployment) -> Option<String> {
    let host = deployment.host.as_deref()?;
    Some(context.webhooks.host_url(&deployment.project, host))
}

fn trigger_error(reason: &TriggerError) -> JsonReply {
    let status = match reason {
        TriggerError::Unknown(_) => StatusCode::NOT_FOUND,
        TriggerError::Impossible(_) => StatusCode::CONFLICT,
        TriggerError::Storage(_) => StatusCode::INSUFFICIENT_STORAGE,
    };
    refusal(status, &reason.to_string())
}

fn refusal(status: StatusCode, sentence: &str) -> JsonReply {
    (status, json!({ "error": sentence }))
}
