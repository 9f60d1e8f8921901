//! Decides what an event of a forge changes in the deployments of a project.

use crate::settings::{Host, PreviewSettings, ProjectSettings, SourceSettings};
use crate::webhook::{Event, PullRequest};

use super::{name, pattern};

/// A preview that is deployed or queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ActivePreview {
    /// Name of the preview.
    pub(crate) name: String,
    /// Source of the preview.
    pub(crate) origin: Origin,
    /// Whether the source is a fork.
    pub(crate) foreign: bool,
    /// Time of the last push, in milliseconds since the Unix epoch.
    pub(crate) pushed: u64,
}

/// Source of a preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A branch of the repository.
    Branch(String),
    /// Ref of a pull or merge request in the repository.
    Request(String),
}

/// A step of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PreviewStep {
    /// Deploys the production site.
    Live {
        /// Commit of the event.
        commit: Option<String>,
    },
    /// Deploys a preview.
    Preview {
        /// Name of the preview.
        name: String,
        /// Host of the preview.
        host: Host,
        /// Source of the preview.
        origin: Origin,
        /// Whether the source is a fork.
        foreign: bool,
        /// Commit of the event.
        commit: Option<String>,
    },
    /// Removes a preview.
    Remove {
        /// Name of the preview.
        name: String,
        /// Reason, as the end of a sentence.
        reason: &'static str,
    },
}

/// Steps for an event, and a message for the list of deliveries of the forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decision {
    /// Steps in order.
    pub(crate) steps: Vec<PreviewStep>,
    /// Message about the decision.
    pub(crate) sentence: String,
}

impl Decision {
    fn nothing(sentence: impl Into<String>) -> Self {
        Self {
            steps: Vec::new(),
            sentence: sentence.into(),
        }
    }
}

/// What is known when an event arrives.
#[derive(Clone, Copy)]
pub(crate) struct Situation<'a> {
    /// Previews of the project.
    pub(crate) active: &'a [ActivePreview],
    /// Whether a host belongs to another site.
    pub(crate) is_taken: &'a dyn Fn(&Host) -> bool,
    /// Branches, tags and commits that versions of the live site come from.
    pub(crate) version_refs: &'a [String],
    /// Key of the parts of hosts that cannot be guessed.
    pub(crate) key: &'a [u8; 32],
}

/// Decides what an event changes.
pub(crate) fn decide(
    project: &ProjectSettings,
    event: &Event,
    situation: Situation<'_>,
) -> Decision {
    let Situation { active, .. } = situation;
    match event {
        Event::Ping => Decision::nothing("deliveries arrive"),
        Event::Other(kind) => Decision::nothing(format!("nothing to do for {kind}")),
        Event::Push {
            branch,
            commit,
            deleted,
        } => match &project.source {
            // The branch that is checked out in a folder is not known here.
            SourceSettings::Dir { .. } => live(commit.clone()),
            SourceSettings::Git(source) if source.branch == *branch && *deleted => {
                Decision::nothing("the production branch was deleted; the site is not changed")
            }
            SourceSettings::Git(source) if source.branch == *branch => live(commit.clone()),
            SourceSettings::Git(_) if *deleted => {
                let origin = Origin::Branch(branch.clone());
                let removal = remove(&origin, active, "its branch was deleted");
                with_version(branch, removal, situation)
            }
            SourceSettings::Git(_) => {
                let spec = PreviewRequest {
                    origin: Origin::Branch(branch.clone()),
                    number: None,
                    foreign: false,
                    commit: commit.clone(),
                };
                let decision = preview(project, spec, situation);
                with_version(branch, decision, situation)
            }
        },
        Event::Request(request) => decide_request(project, request, situation),
    }
}

fn live(commit: Option<String>) -> Decision {
    Decision {
        steps: vec![PreviewStep::Live { commit }],
        sentence: "production deployment queued".to_owned(),
    }
}

/// Adds a deployment of the live site if one of its versions comes from the branch.
fn with_version(branch: &str, mut decision: Decision, situation: Situation<'_>) -> Decision {
    if is_version(branch, situation.version_refs) {
        // The commit is not one of the production branch.
        decision.steps.insert(0, PreviewStep::Live { commit: None });
        decision.sentence = match decision.steps.len() {
            1 => "production deployment queued, because a version comes from the branch".to_owned(),
            _ => format!(
                "production deployment queued, because a version comes from the branch; {}",
                decision.sentence
            ),
        };
    }
    decision
}

/// Whether a version comes from a branch.
pub(crate) fn is_version(branch: &str, version_refs: &[String]) -> bool {
    let mut names = version_refs
        .iter()
        .map(|name| name.strip_prefix("refs/heads/").unwrap_or(name));
    names.any(|name| name == branch)
}

fn decide_request(
    project: &ProjectSettings,
    request: &PullRequest,
    situation: Situation<'_>,
) -> Decision {
    if !matches!(project.source, SourceSettings::Git(_)) {
        return Decision::nothing("a project with a folder as source has no previews");
    }
    let origin = Origin::Request(request.reference.clone());
    if request.closed {
        return remove(&origin, situation.active, "its request was closed");
    }
    if has_branch_preview(project, request) {
        return Decision::nothing("the branch of the request already has a preview");
    }
    let spec = PreviewRequest {
        origin,
        number: Some(request.number),
        foreign: request.foreign,
        commit: request.commit.clone(),
    };
    preview(project, spec, situation)
}

/// Whether the settings give the branch of a pull request a preview, so that the request has none.
pub(crate) fn has_branch_preview(project: &ProjectSettings, request: &PullRequest) -> bool {
    let SourceSettings::Git(source) = &project.source else {
        return false;
    };
    let branches = project.previews.as_ref().map(|set| &*set.branches);
    !request.foreign
        && request.branch != source.branch
        && pattern::is_selected(branches.unwrap_or_default(), &request.branch)
}

fn remove(origin: &Origin, active: &[ActivePreview], reason: &'static str) -> Decision {
    let matching = active.iter().filter(|item| item.origin == *origin);
    let steps = matching.map(|item| PreviewStep::Remove {
        name: item.name.clone(),
        reason,
    });
    let steps: Vec<PreviewStep> = steps.collect();
    let sentence = match steps.is_empty() {
        true => "there is no preview to remove",
        false => "the preview is removed",
    };
    Decision {
        steps,
        sentence: sentence.to_owned(),
    }
}

/// A request for a preview.
struct PreviewRequest {
    origin: Origin,
    number: Option<u64>,
    foreign: bool,
    commit: Option<String>,
}

fn preview(
    project: &ProjectSettings,
    request: PreviewRequest,
    situation: Situation<'_>,
) -> Decision {
    let Situation {
        active,
        is_taken,
        key,
        ..
    } = situation;
    let Some(settings) = &project.previews else {
        return Decision::nothing(
            "this project has no previews, and this is not its production branch",
        );
    };
    if let Some(reason) = disallowed_reason(settings, &request.origin, request.foreign) {
        return Decision::nothing(reason);
    }
    let present = active.iter().find(|item| item.origin == request.origin);
    let (Origin::Branch(source) | Origin::Request(source)) = &request.origin;
    let secret = match settings.guessable {
        true => String::new(),
        false => name::secret(key, &format!("{}\n{source}", project.id)),
    };
    let label = match (present, &request.origin) {
        (Some(present), _) => {
            let host = settings.host.host(&present.name);
            host.map(|host| (present.name.clone(), host))
        }
        (None, Origin::Branch(branch)) => {
            let taken = |name: &str, host: &Host| {
                active.iter().any(|item| item.name == name) || is_taken(host)
            };
            name::of_branch(branch, &secret, &settings.host, &taken)
        }
        (None, Origin::Request(_)) => {
            let number = request.number.unwrap_or_default();
            let label = name::of_request(number, &secret, &settings.host);
            label.filter(|(_, host)| !is_taken(host))
        }
    };
    let Some((name, host)) = label else {
        return Decision::nothing("there is no free host for the preview");
    };
    let mut steps = Vec::new();
    if present.is_none() {
        let Some(going) = previews_to_evict(settings, request.foreign, active) else {
            return Decision::nothing("the limit of previews is reached");
        };
        steps.extend(going.into_iter().map(|item| PreviewStep::Remove {
            name: item.name.clone(),
            reason: "it was replaced by a newer one",
        }));
    }
    let sentence = format!("a preview is deployed for {host}");
    steps.push(PreviewStep::Preview {
        name,
        host,
        origin: request.origin,
        // A preview of a fork stays one: a request does not change its source.
        foreign: request.foreign || present.is_some_and(|item| item.foreign),
        commit: request.commit,
    });
    Decision { steps, sentence }
}

/// Reason why the settings do not allow a preview; `None` if they do.
fn disallowed_reason(
    settings: &PreviewSettings,
    origin: &Origin,
    foreign: bool,
) -> Option<&'static str> {
    match origin {
        Origin::Branch(branch) if !pattern::is_selected(&settings.branches, branch) => {
            Some("the settings allow no preview of this branch")
        }
        Origin::Request(_) if !settings.requests => {
            Some("the settings allow no previews of requests")
        }
        Origin::Request(_) if foreign && !settings.forks => {
            Some("the settings allow no previews of requests from forks")
        }
        Origin::Branch(_) | Origin::Request(_) => None,
    }
}

/// The oldest previews, which are removed for a new one; `None` if the limit is reached. A preview
/// of a fork only replaces other previews of forks, so that outsiders cannot remove previews of the
/// team.
fn previews_to_evict<'a>(
    settings: &PreviewSettings,
    foreign: bool,
    active: &'a [ActivePreview],
) -> Option<Vec<&'a ActivePreview>> {
    let surplus = (active.len() + 1).saturating_sub(settings.max);
    let mut going: Vec<&ActivePreview> = active
        .iter()
        .filter(|one| !foreign || one.foreign)
        .collect();
    going.sort_by(|one, other| (one.pushed, &one.name).cmp(&(other.pushed, &other.name)));
    if settings.max == 0 || going.len() < surplus {
        return None;
    }
    going.truncate(surplus);
    Some(going)
}

/// Expiry time of a preview without further pushes, in milliseconds since the Unix epoch.
pub(crate) fn expires(settings: &PreviewSettings, preview: &ActivePreview) -> u64 {
    let time = u64::try_from(settings.expire.as_millis()).unwrap_or(u64::MAX);
    preview.pushed.saturating_add(time)
}

/// Previews to remove because they have expired or the settings do not allow them anymore. `now` is
/// in milliseconds since the Unix epoch.
pub(crate) fn expired_previews(
    project: &ProjectSettings,
    active: &[ActivePreview],
    now: u64,
) -> Vec<PreviewStep> {
    let reason = |item: &ActivePreview| {
        let is_git = matches!(project.source, SourceSettings::Git(_));
        let Some(settings) = project.previews.as_ref().filter(|_| is_git) else {
            return Some("the settings allow no previews");
        };
        if now >= expires(settings, item) {
            return Some("it has expired");
        }
        disallowed_reason(settings, &item.origin, item.foreign)
    };
    let going = active.iter().filter_map(|item| {
        reason(item).map(|reason| PreviewStep::Remove {
            name: item.name.clone(),
            reason,
        })
    });
    going.collect()
}
