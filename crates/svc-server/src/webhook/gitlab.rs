//! GitLab. The header `X-Gitlab-Token` contains the secret itself, or, with a signing token
//! `whsec_…`, `webhook-signature` contains the HMAC of the ID, time and body.

use serde::Deserialize;

use super::event::{PullRequest, commit_id, is_branch};
use super::forge::{Forge, Message, ParsedEvent, WebhookRejection};
use super::{Event, body, signature, timestamp};

/// Maximum clock difference between the forge and this server, and maximum age of a signature, in
/// seconds.
const TOLERANCE: u64 = 300;

pub(super) static GITLAB: Forge = Forge {
    name: "GitLab",
    is_sender: |head| head.contains_key("x-gitlab-event"),
    is_authentic: |message| match signature::signing_key(message.secret) {
        Some(key) => is_signed(message, &key),
        None => {
            let token = message.header("x-gitlab-token");
            token.is_some_and(|text| signature::is_secret(text, message.secret))
        }
    },
    event,
};

fn is_signed(message: &Message<'_>, key: &[u8]) -> bool {
    let id = message.header("webhook-id");
    let time = message.header("webhook-timestamp");
    let signatures = message.header("webhook-signature");
    let (Some(id), Some(time), Some(signatures)) = (id, time, signatures) else {
        return false;
    };
    let recent = time
        .parse::<i64>()
        .is_ok_and(|time| time.abs_diff(message.now) <= TOLERANCE);
    let pieces = [id.as_bytes(), b".", time.as_bytes(), b".", message.body];
    // While a token is rotated there are two signatures.
    let mut signatures = signatures.split(' ').take(4);
    recent
        && !key.is_empty()
        && signatures.any(|text| {
            let text = text.strip_prefix("v1,");
            text.is_some_and(|text| signature::is_base64(text, &pieces, key))
        })
}

/// Fields of the documents of all events; other fields depend on the event.
#[derive(Deserialize)]
struct CommonPayload {
    object_kind: Option<String>,
    project: Option<ProjectPayload>,
}

#[derive(Deserialize)]
struct Push {
    #[serde(rename = "ref")]
    reference: String,
    before: Option<String>,
    after: String,
}

#[derive(Deserialize)]
struct MergeRequest {
    object_attributes: Attributes,
}

#[derive(Deserialize)]
struct ProjectPayload {
    git_http_url: Option<String>,
    git_ssh_url: Option<String>,
    web_url: Option<String>,
}

#[derive(Deserialize)]
struct Attributes {
    iid: Option<u64>,
    source_branch: Option<String>,
    source_project_id: Option<u64>,
    target_project_id: Option<u64>,
    action: Option<String>,
    oldrev: Option<String>,
    last_commit: Option<CommitPayload>,
    updated_at: Option<String>,
}

#[derive(Deserialize)]
struct CommitPayload {
    id: Option<String>,
}

fn event(message: &Message<'_>) -> Result<ParsedEvent, WebhookRejection> {
    let payload: CommonPayload = body::document(message)?;
    let event = match payload.object_kind.as_deref() {
        Some("push") => {
            let push: Push = body::document(message)?;
            let before = push.before.unwrap_or_default();
            Event::push(&push.reference, &before, &push.after, false)
        }
        Some("merge_request") => {
            let merge: MergeRequest = body::document(message)?;
            changed(&merge.object_attributes)?
        }
        _ => Event::Other("an event that does not change the site".to_owned()),
    };
    let all = payload.project;
    let all = all.map(|payload| [payload.git_http_url, payload.git_ssh_url, payload.web_url]);
    Ok(ParsedEvent {
        event,
        repository: all.into_iter().flatten().flatten().collect(),
    })
}

fn changed(request: &Attributes) -> Result<Event, WebhookRejection> {
    let closed = match request.action.as_deref() {
        Some("close" | "merge") => true,
        Some("open" | "reopen") => false,
        // Title and label changes are updates, too; only new commits come with `oldrev`.
        Some("update") if request.oldrev.is_some() => false,
        _ => {
            let reason = "a merge request without new commits";
            return Ok(Event::Other(reason.to_owned()));
        }
    };
    let number = request.iid.ok_or_else(|| missing("iid"))?;
    let branch = request.source_branch.as_deref();
    let branch = branch.ok_or_else(|| missing("source_branch"))?;
    if !is_branch(branch) {
        let reason = "a branch with a name that Git does not allow";
        return Ok(Event::Other(reason.to_owned()));
    }
    let (head, base) = (request.source_project_id, request.target_project_id);
    let commit = request.last_commit.as_ref();
    let commit = commit.and_then(|commit| commit.id.as_deref());
    Ok(Event::Request(PullRequest {
        number,
        branch: branch.to_owned(),
        commit: commit_id(commit.unwrap_or_default()),
        // A request of unknown origin is not trusted.
        foreign: head.is_none() || head != base,
        reference: format!("refs/merge-requests/{number}/head"),
        closed,
        updated: request.updated_at.as_deref().and_then(timestamp::seconds),
    }))
}

fn missing(field: &str) -> WebhookRejection {
    WebhookRejection::bad_request(format!("the field `{field}` is missing in the body"))
}
