//! Projects with a Git repository, from the push to the page.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::deploy::tests::harness::{self, Harness, WAIT_TIMEOUT, wait_idle, wait_until};
use crate::deploy::{
    DeployRequest, Deployer, Deployment, DeploymentState, ProjectConfig, PublishTarget, Reference,
    Trigger,
};
use crate::settings::{GitSettings, GitSource, SourceSettings};

const CONFIG: &str = r##"{"theme": "svc", "name": "A", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}, "metadata": {"timestamp": true}}"##;

/// A repository `work`, and the site that is served from it.
struct Scene(Harness);

impl Scene {
    /// Creates a repository with a site in `docs`; `None` without Git.
    fn new() -> Option<Self> {
        let mut scene = Self(Harness::new(&[]));
        scene.0.stop_on_errors = true;
        if !svc_test_support::git::has_git() {
            return None;
        }
        fs::create_dir_all(scene.work().join("docs")).unwrap();
        scene.git(&["init", "-q", "-b", "main"], "");
        scene.write("outside.mdx", "SECRET");
        scene.write("docs/docs.json", CONFIG);
        scene.commit("docs/index.mdx", "Version one.", "2024-01-01T12:00:00Z");
        Some(scene)
    }

    fn work(&self) -> PathBuf {
        self.0.source_dir("work")
    }

    fn git(&self, arguments: &[&str], date: &str) {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.work());
        command.args(["-c", "user.name=Ada", "-c", "user.email=a@b.c"]);
        command.args(arguments);
        command.envs([("GIT_COMMITTER_DATE", date), ("GIT_AUTHOR_DATE", date)]);
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {stderr}");
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.work().join(name), text).unwrap();
    }

    fn commit(&self, name: &str, text: &str, date: &str) {
        self.write(name, text);
        self.git(&["add", "."], "");
        self.git(&["commit", "-q", "-m", "A change"], date);
    }

    fn plan(&self) -> ProjectConfig {
        let source = GitSource {
            subdir: "docs".into(),
            history: true,
            ..GitSource::with_defaults(&self.work().to_string_lossy())
        };
        ProjectConfig {
            source: SourceSettings::Git(source),
            ..self.0.plan("docs")
        }
    }

    fn start(&self) -> Deployer {
        self.start_with(self.plan())
    }

    fn start_with(&self, plan: ProjectConfig) -> Deployer {
        let deployer = self.0.start(vec![plan]);
        wait_idle(&deployer);
        deployer
    }

    fn html(&self, target: &PublishTarget) -> String {
        self.0.page("docs", target)
    }
}

fn deploy(deployer: &Deployer) -> Deployment {
    harness::deploy(deployer, "docs")
}

#[test]
fn a_push_is_deployed_with_its_commit_and_the_dates_of_its_pages() {
    let Some(scene) = Scene::new() else { return };
    let deployer = scene.start();
    assert!(scene.html(&PublishTarget::Live).contains("Version one."));
    assert!(scene.html(&PublishTarget::Live).contains("2024-01-01"));
    scene.commit("docs/index.mdx", "Version two.", "2024-02-02T12:00:00Z");
    let result = deploy(&deployer);
    assert_eq!(result.state, DeploymentState::Live, "{}", result.summary);
    let commit = result.commit.unwrap();
    assert_eq!((&*commit.author, &*commit.message), ("Ada", "A change"));
    assert_eq!(commit.time, 1_706_875_200);
    assert!(result.snapshot.unwrap().starts_with(&commit.id));
    assert!(scene.html(&PublishTarget::Live).contains("2024-02-02"));
    assert_eq!(deploy(&deployer).summary, "nothing changed");
    // After a restart, the same site is served before anything is fetched.
    deployer.stop();
    drop(deployer);
    fs::rename(scene.work(), scene.0.source_dir("away")).unwrap();
    scene.0.published.lock().unwrap().clear();
    let deployer = scene.start();
    let html = scene.html(&PublishTarget::Live);
    assert!(html.contains("Version two.") && html.contains("2024-02-02"));
    let failed = deploy(&deployer);
    assert_eq!(failed.state, DeploymentState::Failed);
    assert!(
        failed.summary.contains("is not a folder"),
        "{}",
        failed.summary
    );
    assert!(scene.html(&PublishTarget::Live).contains("Version two."));
    // Rolls back to the first commit with its date.
    deployer.rollback("docs", None).unwrap();
    let html = scene.html(&PublishTarget::Live);
    assert!(
        html.contains("Version one.") && html.contains("2024-01-01"),
        "{html}"
    );
}

#[test]
fn a_commit_of_saved_files_updates_the_dates() {
    let Some(scene) = Scene::new() else { return };
    let dir = |watch| ProjectConfig {
        source: SourceSettings::Dir {
            path: scene.work().join("docs"),
            watch,
        },
        ..scene.plan()
    };
    let deployer = scene.start_with(dir(false));
    scene.write("docs/index.mdx", "Version two.");
    assert_eq!(deploy(&deployer).state, DeploymentState::Live);
    let html = scene.html(&PublishTarget::Live);
    assert!(html.contains("Version two.") && html.contains("2024-01-01"));
    scene.commit("docs/index.mdx", "Version two.", "2024-02-02T12:00:00Z");
    let result = deploy(&deployer);
    assert_eq!(
        (result.state, &*result.summary),
        (DeploymentState::Live, "1 page")
    );
    assert!(scene.html(&PublishTarget::Live).contains("2024-02-02"));
    assert_eq!(deploy(&deployer).summary, "nothing changed");
    deployer.stop();
    drop(deployer);
    // The dates of two commits are cached.
    let cache = scene.0.data().join("projects/docs/dates");
    assert_eq!(fs::read_dir(cache).unwrap().count(), 2);
    // Where changes are deployed immediately, so are commits. The first one may be found by the
    // poll at the start, which deploys any state.
    let deployer = scene.start_with(dir(true));
    assert!(scene.html(&PublishTarget::Live).contains("2024-02-02"));
    for day in ["2024-03-03", "2024-03-04"] {
        let arguments = ["commit", "-q", "--amend", "-m", "x"];
        scene.git(&arguments, &format!("{day}T12:00:00Z"));
        wait_until(day, || scene.html(&PublishTarget::Live).contains(day));
    }
    // Commits do not affect a site without dates.
    let silent = CONFIG.replace("true", "false");
    scene.write("docs/docs.json", &silent);
    deploy(&deployer);
    scene.commit("docs/docs.json", &silent, "2024-04-04T12:00:00Z");
    assert_eq!(deploy(&deployer).summary, "nothing changed");
}

#[test]
fn a_force_push_and_a_deleted_branch_are_reported() {
    let Some(scene) = Scene::new() else { return };
    let deployer = scene.start();
    scene.git(
        &["commit", "-q", "--amend", "-m", "Another"],
        "2023-01-01T12:00:00Z",
    );
    let last = deploy(&deployer);
    assert_eq!(last.commit.unwrap().message, "Another");
    scene.git(&["branch", "-m", "main", "trunk"], "");
    let last = deploy(&deployer);
    assert_eq!(last.state, DeploymentState::Failed);
    assert!(
        last.summary
            .contains("no branch `main`; did you mean `trunk`?"),
        "{}",
        last.summary
    );
    assert!(scene.html(&PublishTarget::Live).contains("Version one."));
}

#[test]
fn a_branch_is_deployed_as_a_preview() {
    let Some(scene) = Scene::new() else { return };
    let deployer = scene.start();
    scene.git(&["checkout", "-q", "-b", "topic/x"], "");
    scene.commit(
        "docs/index.mdx",
        "Version of the branch.",
        "2024-03-03T12:00:00Z",
    );
    let target = PublishTarget::Preview {
        name: "topic-x".into(),
    };
    let request = DeployRequest {
        target: target.clone(),
        reference: Reference {
            branch: Some("topic/x".into()),
            reference: None,
        },
        ..DeployRequest::live("docs", Trigger::Push)
    };
    let id = deployer.trigger(request).unwrap();
    assert_eq!(
        deployer.wait(&id, WAIT_TIMEOUT).unwrap().state,
        DeploymentState::Live
    );
    assert!(scene.html(&target).contains("Version of the branch."));
    assert!(scene.html(&PublishTarget::Live).contains("Version one."));
}

#[test]
fn a_slow_preview_does_not_delay_the_site() {
    let Some(scene) = Scene::new() else { return };
    let deployer = scene.start();
    let target = PublishTarget::Preview {
        name: "topic-x".into(),
    };
    // While a preview is built, other previews wait, but the site does not.
    let lane = crate::deploy::state::lane("docs", &target);
    let slow = (lane.clone(), "slow".to_owned());
    deployer.0.state().building.extend([slow]);
    let request = DeployRequest {
        target: target.clone(),
        ..DeployRequest::live("docs", Trigger::Push)
    };
    let preview = deployer.trigger(request).unwrap();
    scene.commit("docs/index.mdx", "Version two.", "2024-03-03T12:00:00Z");
    let live = deploy(&deployer);
    assert_eq!(live.state, DeploymentState::Live);
    assert!(scene.html(&PublishTarget::Live).contains("Version two."));
    let queued = deployer.get(&preview).unwrap();
    assert_eq!(queued.state, DeploymentState::Queued);
    deployer.0.state().building.remove(&lane);
    deployer.0.changed.notify_all();
    let result = deployer.wait(&preview, WAIT_TIMEOUT).unwrap();
    assert_eq!(result.state, DeploymentState::Live);
}

#[test]
fn a_missing_branch_fails_every_attempt() {
    let Some(scene) = Scene::new() else { return };
    let deployer = scene.start();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    scene.commit("docs/picture.png", pointer, "2024-03-03T12:00:00Z");
    for _ in 0..2 {
        let result = deploy(&deployer);
        assert_eq!(result.state, DeploymentState::Failed, "{}", result.summary);
        assert!(result.summary.contains("Git LFS"), "{}", result.summary);
    }
    let snapshots = scene.0.data().join("projects/docs/snapshots");
    for entry in fs::read_dir(snapshots).unwrap() {
        let dir = entry.unwrap().path();
        assert!(!dir.join("outside.mdx").exists() && !dir.join("picture.png").exists());
    }
}

#[test]
fn a_changed_size_limit_changes_the_snapshot() {
    let Some(mut scene) = Scene::new() else {
        return;
    };
    scene.0.stop_on_errors = false;
    let image = format!("<svg>{}</svg>", " ".repeat(2 << 20));
    scene.commit("docs/large.svg", &image, "2024-03-03T12:00:00Z");
    let with = |file_bytes| ProjectConfig {
        git: GitSettings {
            file_bytes,
            ..GitSettings::default()
        },
        ..scene.plan()
    };
    let deployer = scene.start_with(with(1 << 20));
    let large = |result: &Deployment| {
        let snapshots = scene.0.data().join("projects/docs/snapshots");
        let dir = snapshots.join(result.snapshot.as_deref().unwrap());
        dir.join("large.svg").exists()
    };
    let mut before = deployer.list(None)[0].clone();
    assert!(!large(&before));
    let report = deployer.report(&before.id).unwrap();
    assert!(report.problems.contains("large.svg"), "{report:?}");
    // Raised to the default, and lowered again.
    for file_bytes in [GitSettings::default().file_bytes, 1 << 20] {
        deployer.set_projects(vec![with(file_bytes)]).unwrap();
        let result = deploy(&deployer);
        assert_eq!(result.state, DeploymentState::Live, "{}", result.summary);
        assert_eq!(result.commit, before.commit);
        assert_ne!(large(&result), large(&before));
        let report = deployer.report(&result.id).unwrap();
        assert_ne!(report.problems.contains("large.svg"), large(&result));
        before = result;
    }
    deployer.stop();
}
