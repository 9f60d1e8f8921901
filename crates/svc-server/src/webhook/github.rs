//! GitHub. Signature: `X-Hub-Signature-256`, the HMAC of the body. Gitea and Forgejo send documents
//! of the same format.

use serde::Deserialize;

use super::event::{PullRequest, commit_id, is_branch};
use super::forge::{Forge, Message, ParsedEvent, WebhookRejection};
use super::{Event, body, signature, timestamp};

pub(super) static GITHUB: Forge = Forge {
    name: "GitHub",
    is_sender: |head| head.contains_key("x-github-event"),
    is_authentic: |message| {
        let signature = message.header("x-hub-signature-256");
        let signature = signature.and_then(|text| text.strip_prefix("sha256="));
        signature.is_some_and(|text| signature::is_hex(text, &[message.body], message.secret))
    },
    event: |message| {
        event(
            message,
            message.header("x-github-event").unwrap_or_default(),
        )
    },
};

/// Fields of the documents of all events.
#[derive(Deserialize)]
struct CommonPayload {
    repository: Option<Repository>,
}

/// The needed fields of documents about branches and pull requests.
#[derive(Deserialize)]
struct Document {
    repository: Option<Repository>,
    #[serde(rename = "ref")]
    reference: Option<String>,
    ref_type: Option<String>,
    before: Option<String>,
    after: Option<String>,
    deleted: Option<bool>,
    action: Option<String>,
    number: Option<u64>,
    pull_request: Option<PullRequestPayload>,
}

#[derive(Deserialize)]
struct Repository {
    id: Option<u64>,
    clone_url: Option<String>,
    ssh_url: Option<String>,
    html_url: Option<String>,
}

#[derive(Deserialize)]
struct PullRequestPayload {
    number: Option<u64>,
    head: Side,
    base: Side,
    updated_at: Option<String>,
}

#[derive(Deserialize)]
struct Side {
    #[serde(rename = "ref")]
    reference: String,
    sha: Option<String>,
    /// Missing if the fork was deleted.
    repo: Option<Repository>,
}

/// Parses the document of the event `kind`.
pub(super) fn event(message: &Message<'_>, kind: &str) -> Result<ParsedEvent, WebhookRejection> {
    // Documents of other events may use these field names for other data.
    if !matches!(kind, "push" | "delete" | "pull_request") {
        let payload: CommonPayload = body::document(message)?;
        let other = || Event::Other("an event that does not change the site".to_owned());
        return Ok(ParsedEvent {
            event: if kind == "ping" { Event::Ping } else { other() },
            repository: repository_urls(payload.repository),
        });
    }
    let document: Document = body::document(message)?;
    let text = |field: Option<String>| field.unwrap_or_default();
    let event = match kind {
        "push" => {
            let reference = document.reference.as_deref();
            let reference = reference.ok_or_else(|| missing("ref"))?;
            let deleted = document.deleted.unwrap_or(false);
            let (before, after) = (text(document.before), text(document.after));
            Event::push(reference, &before, &after, deleted)
        }
        "delete" if document.ref_type.as_deref() == Some("branch") => {
            let name = document.reference.as_deref();
            let name = name.ok_or_else(|| missing("ref"))?;
            let name = name.strip_prefix("refs/heads/").unwrap_or(name);
            Event::moved(name, "", true)
        }
        "pull_request" => {
            let action = document.action.as_deref().unwrap_or_default();
            let request = document.pull_request.as_ref();
            let request = request.ok_or_else(|| missing("pull_request"))?;
            let number = document.number.or(request.number);
            changed(action, number.ok_or_else(|| missing("number"))?, request)
        }
        _ => Event::Other("a deleted tag".to_owned()),
    };
    Ok(ParsedEvent {
        event,
        repository: repository_urls(document.repository),
    })
}

fn repository_urls(repository: Option<Repository>) -> Vec<String> {
    let all = repository.map(|it| [it.clone_url, it.ssh_url, it.html_url]);
    all.into_iter().flatten().flatten().collect()
}

fn changed(action: &str, number: u64, request: &PullRequestPayload) -> Event {
    let closed = match action {
        "closed" => true,
        // Gitea and Forgejo send `synchronized`.
        "opened" | "reopened" | "synchronize" | "synchronized" | "ready_for_review" => false,
        _ => return Event::Other("a pull request without new commits".to_owned()),
    };
    let branch = request.head.reference.as_str();
    if !is_branch(branch) {
        return Event::Other("a branch with a name that Git does not allow".to_owned());
    }
    let id = |side: &Side| side.repo.as_ref().and_then(|repository| repository.id);
    let (head, base) = (id(&request.head), id(&request.base));
    Event::Request(PullRequest {
        number,
        branch: branch.to_owned(),
        commit: commit_id(request.head.sha.as_deref().unwrap_or_default()),
        // A request of unknown origin is not trusted.
        foreign: head.is_none() || head != base,
        reference: format!("refs/pull/{number}/head"),
        closed,
        updated: request.updated_at.as_deref().and_then(timestamp::seconds),
    })
}

fn missing(field: &str) -> WebhookRejection {
    WebhookRejection::bad_request(format!("the field `{field}` is missing in the body"))
}
