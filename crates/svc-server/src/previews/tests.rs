//! Decisions about events for a project with a repository.

use std::time::Duration;

use crate::settings::{
    GitSource, Host, HostPattern, PreviewSettings, ProjectSettings, SourceSettings,
};
use crate::webhook::{Event, PullRequest};

use super::*;

fn project() -> ProjectSettings {
    ProjectSettings {
        keep: 3,
        previews: Some(PreviewSettings {
            host: HostPattern::parse("{preview}.preview.example.com").unwrap(),
            branches: vec!["*".to_owned(), "!wip/*".to_owned()],
            requests: true,
            forks: true,
            integrations: false,
            expire: Duration::from_secs(3600),
            max: 3,
            guessable: true,
            passwords: Vec::new(),
        }),
        ..ProjectSettings::with_defaults(
            "docs",
            Host::parse("docs.example.com").unwrap(),
            SourceSettings::Git(GitSource::with_defaults("https://github.com/acme/docs.git")),
        )
    }
}

fn with(change: impl FnOnce(&mut PreviewSettings)) -> ProjectSettings {
    let mut project = project();
    change(project.previews.as_mut().unwrap());
    project
}

fn push(branch: &str, deleted: bool) -> Event {
    Event::Push {
        branch: branch.to_owned(),
        commit: None,
        deleted,
    }
}

fn request(number: u64, branch: &str, foreign: bool, closed: bool) -> Event {
    Event::Request(PullRequest {
        number,
        branch: branch.to_owned(),
        commit: None,
        foreign,
        reference: format!("refs/pull/{number}/head"),
        closed,
        updated: None,
    })
}

fn active_preview(name: &str, origin: Origin, foreign: bool, pushed: u64) -> ActivePreview {
    ActivePreview {
        name: name.to_owned(),
        origin,
        foreign,
        pushed,
    }
}

fn branch(name: &str, pushed: u64) -> ActivePreview {
    active_preview(name, Origin::Branch(name.to_owned()), false, pushed)
}

fn fork(number: u64, pushed: u64) -> ActivePreview {
    let origin = Origin::Request(format!("refs/pull/{number}/head"));
    active_preview(&format!("pr-{number}"), origin, true, pushed)
}

fn decided(
    project: &ProjectSettings,
    event: &Event,
    active: &[ActivePreview],
    is_taken: &dyn Fn(&Host) -> bool,
) -> Decision {
    let key = &[7; 32];
    let situation = Situation {
        active,
        is_taken,
        version_refs: &["release/1.x".to_owned()],
        key,
    };
    decide(project, event, situation)
}

/// The steps in short form: `+name` (`~name` for a fork), `-name`, `live`.
fn steps(project: &ProjectSettings, event: &Event, present: &[ActivePreview]) -> String {
    let decision = decided(project, event, present, &|_| false);
    assert!(!decision.sentence.is_empty());
    short(&decision.steps)
}

fn short(steps: &[PreviewStep]) -> String {
    let short = steps.iter().map(|step| match step {
        PreviewStep::Live { .. } => "live".to_owned(),
        PreviewStep::Preview {
            name,
            foreign: true,
            ..
        } => format!("~{name}"),
        PreviewStep::Preview { name, .. } => format!("+{name}"),
        PreviewStep::Remove { name, .. } => format!("-{name}"),
    });
    short.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_push_to_the_branch_of_a_version_deploys_the_site() {
    let without = ProjectSettings {
        previews: None,
        ..project()
    };
    assert_eq!(steps(&without, &push("release/1.x", false), &[]), "live");
    assert_eq!(steps(&without, &push("release/1.x", true), &[]), "live");
    assert_eq!(steps(&without, &push("release/2.x", false), &[]), "");
}

#[test]
fn the_production_branch_deploys_the_site_and_others_get_previews() {
    let project = project();
    assert_eq!(steps(&project, &push("main", false), &[]), "live");
    assert_eq!(
        steps(&project, &push("main", true), &[branch("main", 1)]),
        ""
    );
    assert_eq!(
        steps(&project, &push("feature/x", false), &[]),
        "+feature-x"
    );
    assert_eq!(steps(&project, &push("wip/x", false), &[]), "");
    assert_eq!(steps(&project, &Event::Ping, &[]), "");
    let decision = decided(&project, &push("a", false), &[], &|_| false);
    assert_eq!(
        decision.sentence,
        "a preview is deployed for a.preview.example.com"
    );
}

#[test]
fn a_branch_has_a_stable_name_until_it_is_deleted() {
    let project = project();
    let origin = Origin::Branch("feature/x".to_owned());
    let present = [
        active_preview("feature-x-12ab34", origin, false, 1),
        branch("y", 2),
    ];
    assert_eq!(
        steps(&project, &push("feature/x", false), &present),
        "+feature-x-12ab34"
    );
    assert_eq!(
        steps(&project, &push("feature/x", true), &present),
        "-feature-x-12ab34"
    );
    assert_eq!(steps(&project, &push("z", true), &present), "");
    // A branch whose name equals the preview name of another branch gets a different name.
    assert_eq!(
        steps(&project, &push("feature-x-12ab34", true), &present),
        ""
    );
}

#[test]
fn a_request_has_one_preview_until_it_is_closed() {
    let project = project();
    assert_eq!(
        steps(&project, &request(12, "x", true, false), &[]),
        "~pr-12"
    );
    assert_eq!(
        steps(&project, &request(12, "x", true, false), &[fork(12, 1)]),
        "~pr-12"
    );
    assert_eq!(
        steps(
            &project,
            &request(12, "x", true, true),
            &[fork(12, 1), fork(1, 1)]
        ),
        "-pr-12"
    );
    assert_eq!(steps(&project, &request(12, "x", true, true), &[]), "");
    // Its branch has its own preview, unless the settings do not allow it.
    assert_eq!(steps(&project, &request(12, "x", false, false), &[]), "");
    assert_eq!(
        steps(&project, &request(12, "wip/x", false, false), &[]),
        "+pr-12"
    );
    // A branch of a fork differs from the branch with the same name here.
    assert_eq!(
        steps(&project, &request(12, "main", true, false), &[]),
        "~pr-12"
    );
}

#[test]
fn the_settings_select_previews() {
    let foreign = request(12, "x", true, false);
    let own = request(12, "wip/x", false, false);
    assert_eq!(steps(&with(|set| set.forks = false), &foreign, &[]), "");
    assert_eq!(steps(&with(|set| set.forks = false), &own, &[]), "+pr-12");
    assert_eq!(steps(&with(|set| set.requests = false), &own, &[]), "");
    assert_eq!(
        steps(&with(|set| set.branches.clear()), &push("x", false), &[]),
        ""
    );
    assert_eq!(steps(&with(|set| set.max = 0), &push("x", false), &[]), "");
    let mut none = project();
    none.previews = None;
    assert_eq!(steps(&none, &push("x", false), &[]), "");
    assert_eq!(steps(&none, &own, &[]), "");
    assert_eq!(steps(&none, &push("main", false), &[]), "live");
    let mut dir = project();
    dir.source = SourceSettings::Dir {
        path: "/srv/docs".into(),
        watch: false,
    };
    assert_eq!(steps(&dir, &push("x", false), &[]), "live");
    assert_eq!(steps(&dir, &own, &[]), "");
}

#[test]
fn the_oldest_preview_is_replaced_and_forks_replace_only_forks() {
    let project = project();
    let full = [branch("b", 2), fork(7, 3), branch("a", 1)];
    assert_eq!(steps(&project, &push("c", false), &full), "-a +c");
    assert_eq!(
        steps(&project, &push("a", false), &full),
        "+a",
        "it has its place"
    );
    assert_eq!(
        steps(&project, &request(8, "x", true, false), &full),
        "-pr-7 ~pr-8"
    );
    let list = [branch("a", 1), branch("b", 2), branch("c", 3)];
    assert_eq!(steps(&project, &request(8, "x", true, false), &list), "");
    // The settings allow fewer previews than exist.
    assert_eq!(
        steps(&with(|set| set.max = 1), &push("d", false), &list),
        "-a -b -c +d"
    );
}

#[test]
fn a_host_of_another_site_is_not_used() {
    let project = project();
    let taken = |host: &Host| host.as_str() == "admin.preview.example.com";
    let decision = decided(&project, &push("admin", false), &[], &taken);
    assert!(
        short(&decision.steps).starts_with("+admin-"),
        "{decision:?}"
    );
    let everything = decided(&project, &push("admin", false), &[], &|_| true);
    assert_eq!(everything.steps, []);
    let request = decided(&project, &request(1, "x", true, false), &[], &|_| true);
    assert_eq!(request.steps, []);
}

#[test]
fn previews_expire_without_pushes_or_when_the_settings_change() {
    let present = [
        branch("a", 0),
        branch("wip/b", 1_000_000),
        fork(1, 3_000_000),
    ];
    let left = |project: &ProjectSettings, now| short(&expired_previews(project, &present, now));
    assert_eq!(left(&project(), 3_599_999), "-wip/b", "its pattern is out");
    assert_eq!(left(&project(), 3_600_000), "-a -wip/b");
    assert_eq!(left(&project(), 3_600_000 + 3_000_000), "-a -wip/b -pr-1");
    assert_eq!(left(&with(|set| set.forks = false), 1), "-wip/b -pr-1");
    let mut none = project();
    none.previews = None;
    assert_eq!(left(&none, 1), "-a -wip/b -pr-1");
    // A clock that was set back expires nothing.
    assert_eq!(
        short(&expired_previews(&project(), &[branch("a", 9)], 1)),
        ""
    );
}

#[test]
fn hosts_cannot_be_guessed_unless_the_settings_allow_it() {
    let project = with(|previews| previews.guessable = false);
    let name = |project: &ProjectSettings, event: &Event, active: &[ActivePreview]| {
        let added = steps(project, event, active);
        added.trim_start_matches(['+', '~']).to_owned()
    };
    let branch = name(&project, &push("a", false), &[]);
    assert!(branch.starts_with("a-") && branch.len() == 12, "{branch}");
    let number = name(&project, &request(12, "x", true, false), &[]);
    assert!(
        number.starts_with("pr-12-") && number.len() == 16,
        "{number}"
    );
    assert_ne!(branch[2..], number[6..]);
    // A preview from before the change keeps its host.
    let before = [active_preview(
        "a",
        Origin::Branch("a".to_owned()),
        false,
        1,
    )];
    assert_eq!(name(&project, &push("a", false), &before), "a");
}
