//! What an event of a forge means for the sites of a project.

use crate::settings::{Host, PreviewSettings, ProjectSettings, SourceSettings};
use crate::webhook::{Event, PullRequest};

use super::{name, pattern};

/// A preview that is deployed, or waits for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ActivePreview {
    /// Its name.
    pub(crate) name: String,
    /// What it shows.
    pub(crate) origin: Origin,
    /// Whether that comes from another repository.
    pub(crate) foreign: bool,
    /// When it was pushed to, in milliseconds since 1970.
    pub(crate) pushed: u64,
}

/// What a preview shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A branch of the repository.
    Branch(String),
    /// A request, by its reference in the repository.
    Request(String),
}

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PreviewStep {
    /// Deploy the live site.
    Live {
        /// The commit that it is about.
        commit: Option<String>,
    },
    /// Deploy a preview.
    Preview {
        /// Its name.
        name: String,
        /// Its host.
        host: Host,
        /// What it shows.
        origin: Origin,
        /// Whether that comes from another repository.
        foreign: bool,
        /// The commit that it is about.
        commit: Option<String>,
    },
    /// Take a preview away.
    Remove {
        /// Its name.
        name: String,
        /// Why, as the end of a sentence.
        why: &'static str,
    },
}

/// What is done about an event, and a sentence about it for whoever looks at the deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decision {
    /// What is done, in order.
    pub(crate) steps: Vec<PreviewStep>,
    /// What has been decided.
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

/// Decides what an event means. `standing` are the previews of the project; `is_taken` says whether
/// a host is somebody else's.
pub(crate) fn decide(
    project: &ProjectSettings,
    event: &Event,
    standing: &[ActivePreview],
    is_taken: &dyn Fn(&Host) -> bool,
) -> Decision {
    match event {
        Event::Ping => Decision::nothing("deliveries arrive"),
        Event::Other(what) => Decision::nothing(format!("nothing to do for {what}")),
        Event::Push {
            branch,
            commit,
            deleted,
        } => match &project.source {
            // Which branch somebody keeps in a folder is not known here.
            SourceSettings::Dir { .. } => live(commit.clone()),
            SourceSettings::Git(source) if source.branch == *branch && *deleted => {
                Decision::nothing("the branch of the live site is gone; the site stays as it is")
            }
            SourceSettings::Git(source) if source.branch == *branch => live(commit.clone()),
            SourceSettings::Git(_) if *deleted => {
                let origin = Origin::Branch(branch.clone());
                remove(&origin, standing, "its branch is gone")
            }
            SourceSettings::Git(_) => {
                let wanted = PreviewRequest {
                    origin: Origin::Branch(branch.clone()),
                    number: None,
                    foreign: false,
                    commit: commit.clone(),
                };
                preview(project, wanted, standing, is_taken)
            }
        },
        Event::Request(request) => decide_request(project, request, standing, is_taken),
    }
}

fn live(commit: Option<String>) -> Decision {
    Decision {
        steps: vec![PreviewStep::Live { commit }],
        sentence: "the live site is deployed".to_owned(),
    }
}

fn decide_request(
    project: &ProjectSettings,
    request: &PullRequest,
    standing: &[ActivePreview],
    is_taken: &dyn Fn(&Host) -> bool,
) -> Decision {
    let SourceSettings::Git(source) = &project.source else {
        return Decision::nothing("a project that shows a folder has no previews");
    };
    let origin = Origin::Request(request.reference.clone());
    if request.closed {
        return remove(&origin, standing, "its request is closed");
    }
    let own = !request.foreign && request.branch != source.branch;
    let branches = project.previews.as_ref().map(|set| &*set.branches);
    if own && pattern::is_selected(branches.unwrap_or_default(), &request.branch) {
        return Decision::nothing("the branch of the request has a preview already");
    }
    let wanted = PreviewRequest {
        origin,
        number: Some(request.number),
        foreign: request.foreign,
        commit: request.commit.clone(),
    };
    preview(project, wanted, standing, is_taken)
}

fn remove(origin: &Origin, standing: &[ActivePreview], why: &'static str) -> Decision {
    let found = standing.iter().filter(|one| one.origin == *origin);
    let steps = found.map(|one| PreviewStep::Remove {
        name: one.name.clone(),
        why,
    });
    let steps: Vec<PreviewStep> = steps.collect();
    let sentence = match steps.is_empty() {
        true => "there is no preview to take away",
        false => "the preview is taken away",
    };
    Decision {
        steps,
        sentence: sentence.to_owned(),
    }
}

/// A preview that is asked for.
struct PreviewRequest {
    origin: Origin,
    number: Option<u64>,
    foreign: bool,
    commit: Option<String>,
}

fn preview(
    project: &ProjectSettings,
    wanted: PreviewRequest,
    standing: &[ActivePreview],
    is_taken: &dyn Fn(&Host) -> bool,
) -> Decision {
    let Some(settings) = &project.previews else {
        return Decision::nothing("this project has no previews, and this is not its live branch");
    };
    if let Some(why) = disallowed_reason(settings, &wanted.origin, wanted.foreign) {
        return Decision::nothing(why);
    }
    let present = standing.iter().find(|one| one.origin == wanted.origin);
    let named = match (present, &wanted.origin) {
        (Some(present), _) => {
            let host = settings.host.host(&present.name);
            host.map(|host| (present.name.clone(), host))
        }
        (None, Origin::Branch(branch)) => {
            let taken = |name: &str, host: &Host| {
                standing.iter().any(|one| one.name == name) || is_taken(host)
            };
            name::of_branch(branch, &settings.host, &taken)
        }
        (None, Origin::Request(_)) => {
            let named = name::of_request(wanted.number.unwrap_or_default(), &settings.host);
            named.filter(|(_, host)| !is_taken(host))
        }
    };
    let Some((name, host)) = named else {
        return Decision::nothing("there is no free host for a preview of it");
    };
    let mut steps = Vec::new();
    if present.is_none() {
        let Some(going) = previews_to_evict(settings, wanted.foreign, standing) else {
            return Decision::nothing("all places for previews are taken");
        };
        steps.extend(going.into_iter().map(|one| PreviewStep::Remove {
            name: one.name.clone(),
            why: "it was the oldest and a newer one needs its place",
        }));
    }
    let sentence = format!("a preview is deployed for {host}");
    steps.push(PreviewStep::Preview {
        name,
        host,
        origin: wanted.origin,
        // What was foreign once stays so: a request does not change its side.
        foreign: wanted.foreign || present.is_some_and(|one| one.foreign),
        commit: wanted.commit,
    });
    Decision { steps, sentence }
}

/// Why the settings allow no preview of something.
fn disallowed_reason(
    settings: &PreviewSettings,
    origin: &Origin,
    foreign: bool,
) -> Option<&'static str> {
    match origin {
        Origin::Branch(branch) if !pattern::is_selected(&settings.branches, branch) => {
            Some("the settings want no preview of this branch")
        }
        Origin::Request(_) if !settings.requests => {
            Some("the settings want no previews of requests")
        }
        Origin::Request(_) if foreign && !settings.foreign => {
            Some("the settings want no previews of requests from other repositories")
        }
        Origin::Branch(_) | Origin::Request(_) => None,
    }
}

/// The oldest previews, which give way to a new one; nothing when it finds no place. Strangers take
/// places of strangers only: nobody can push away the previews of those who work here.
fn previews_to_evict<'a>(
    settings: &PreviewSettings,
    foreign: bool,
    standing: &'a [ActivePreview],
) -> Option<Vec<&'a ActivePreview>> {
    let surplus = (standing.len() + 1).saturating_sub(settings.max);
    let mut going: Vec<&ActivePreview> = standing
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

/// When a preview goes if nobody pushes to it, in milliseconds since 1970.
pub(crate) fn expires(settings: &PreviewSettings, one: &ActivePreview) -> u64 {
    let time = u64::try_from(settings.expire.as_millis()).unwrap_or(u64::MAX);
    one.pushed.saturating_add(time)
}

/// The previews that have to go: nobody has pushed to them for too long, or the settings do not
/// want them any more. `now` is in milliseconds since 1970.
pub(crate) fn expired_previews(
    project: &ProjectSettings,
    standing: &[ActivePreview],
    now: u64,
) -> Vec<PreviewStep> {
    let why = |one: &ActivePreview| {
        let is_git = matches!(project.source, SourceSettings::Git(_));
        let Some(settings) = project.previews.as_ref().filter(|_| is_git) else {
            return Some("the settings want no previews");
        };
        if now >= expires(settings, one) {
            return Some("nobody has pushed to it for too long");
        }
        disallowed_reason(settings, &one.origin, one.foreign)
    };
    let going = standing.iter().filter_map(|one| {
        why(one).map(|why| PreviewStep::Remove {
            name: one.name.clone(),
            why,
        })
    });
    going.collect()
}
