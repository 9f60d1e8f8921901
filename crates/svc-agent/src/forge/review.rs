//! Statuses of commits, and the comment on a pull request.

use http::{Method, StatusCode};
use serde_json::{Map, Value, json};
use svc_data::percent;
use svc_fetch::Client;

use super::error::ForgeError;
use super::rest::RestForge;

/// Maximum length of the description of a status in characters: that of GitHub.
const MAX_DESCRIPTION_CHARS: usize = 140;
/// Maximum number of pages of comments that are searched, with 100 comments each.
const MAX_COMMENT_PAGES: usize = 30;
/// Number of comments of a full page.
const PAGE_SIZE: usize = 100;

/// State of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitState {
    /// The result is not known yet.
    Pending,
    /// All is well.
    Success,
    /// It is not.
    Failure,
}

/// Status of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitStatus<'a> {
    /// ID of the commit.
    pub commit: &'a str,
    /// State.
    pub state: CommitState,
    /// Name that distinguishes it from other statuses of the commit.
    pub context: &'a str,
    /// One sentence; it is cut to what forges accept.
    pub description: &'a str,
    /// Where readers find more.
    pub url: Option<&'a str>,
}

impl RestForge {
    /// Sets the status of a commit. A status with the same context is replaced.
    ///
    /// # Errors
    /// When the forge does not accept it.
    pub async fn set_status(
        &self,
        client: &Client,
        status: &CommitStatus<'_>,
    ) -> Result<(), ForgeError> {
        let api = &self.forge_api.review;
        let [pending, success, failure] = api.states;
        let state = match status.state {
            CommitState::Pending => pending,
            CommitState::Success => success,
            CommitState::Failure => failure,
        };
        let mut body = Map::new();
        body.insert("state".to_owned(), state.into());
        body.insert(api.context.to_owned(), status.context.into());
        let description: String = match status.description.chars().count() {
            length if length > MAX_DESCRIPTION_CHARS => {
                let kept = status.description.chars().take(MAX_DESCRIPTION_CHARS - 1);
                kept.chain(['…']).collect()
            }
            _ => status.description.to_owned(),
        };
        body.insert("description".to_owned(), description.into());
        if let Some(url) = status.url {
            body.insert("target_url".to_owned(), url.into());
        }
        let path = (api.statuses)(&self.name, status.commit);
        let body = Some(Value::Object(body));
        match self.send(client, Method::POST, &path, body).await {
            // GitLab rejects the state that the status has already.
            Err(ForgeError::Status {
                status: StatusCode::BAD_REQUEST,
                message,
                ..
            }) if message.contains("Cannot transition status") => Ok(()),
            result => result.map(drop),
        }
    }

    /// Writes the comment on a pull request and returns its ID. `known` is the ID of an earlier call
    /// and may be wrong. Otherwise the comment is the oldest that begins with `marker`; with `create`,
    /// a new one is created if there is none. `None` if there is none.
    ///
    /// # Errors
    /// When the forge does not accept it.
    pub async fn put_comment(
        &self,
        client: &Client,
        number: u64,
        (known, create): (Option<&str>, bool),
        marker: &str,
        text: &str,
    ) -> Result<Option<String>, ForgeError> {
        let api = &self.forge_api.review;
        if let Some(id) = known {
            match self.edit_comment(client, number, id, text).await {
                // It was deleted.
                Err(error) if error.has_status(StatusCode::NOT_FOUND) => {}
                result => return result.map(|()| Some(id.to_owned())),
            }
        }
        if let Some(id) = self.find_comment(client, number, marker).await? {
            self.edit_comment(client, number, &id, text).await?;
            return Ok(Some(id));
        }
        if !create {
            return Ok(None);
        }
        let path = (api.comments)(&self.name, number);
        let body = Some(json!({ "body": text }));
        let comment = self.send(client, Method::POST, &path, body).await?;
        let id = comment_id(&comment).ok_or(ForgeError::InvalidResponse {
            forge: self.forge_api.name,
            what: "no ID of a comment",
        })?;
        Ok(Some(id))
    }

    async fn edit_comment(
        &self,
        client: &Client,
        number: u64,
        id: &str,
        text: &str,
    ) -> Result<(), ForgeError> {
        let api = &self.forge_api.review;
        let path = (api.comment)(&self.name, number, id);
        let body = Some(json!({ "body": text }));
        let result = self.send(client, api.edit.clone(), &path, body).await;
        result.map(drop)
    }

    /// ID of the oldest comment that begins with the marker.
    async fn find_comment(
        &self,
        client: &Client,
        number: u64,
        marker: &str,
    ) -> Result<Option<String>, ForgeError> {
        let api = &self.forge_api.review;
        let max = if api.has_pages { MAX_COMMENT_PAGES } else { 1 };
        for page in 1..=max {
            let mut path = (api.comments)(&self.name, number) + api.list;
            if api.has_pages {
                path.push_str(&format!("&page={page}"));
            }
            let response = self.send(client, Method::GET, &path, None).await?;
            let Value::Array(comments) = response else {
                return Err(ForgeError::InvalidResponse {
                    forge: self.forge_api.name,
                    what: "not a list",
                });
            };
            let is_ours = |comment: &&Value| {
                let text = comment.get("body").and_then(Value::as_str);
                text.is_some_and(|text| text.starts_with(marker))
            };
            if let Some(found) = comments.iter().find(is_ours) {
                return Ok(comment_id(found));
            }
            if comments.len() < PAGE_SIZE {
                break;
            }
        }
        Ok(None)
    }

    /// URL of a line of a file of a commit on the web site of the forge. `path` has no leading slash.
    pub fn line_url(&self, commit: &str, path: &str, line: u32) -> String {
        let path = percent::encode(path, percent::SEGMENTS);
        let tail = (self.forge_api.review.line)(&self.name, commit, &path, line);
        format!("{}{tail}", self.home)
    }
}

/// The ID in a response.
fn comment_id(comment: &Value) -> Option<String> {
    comment.get("id")?.as_u64().map(|id| id.to_string())
}
