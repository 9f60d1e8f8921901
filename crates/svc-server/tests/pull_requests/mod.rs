//! Statuses and comments on pull requests, at stand-ins of all forges.

mod forge;

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use hmac::{Hmac, Mac as _};
use serde_json::{Value, json};
use svc_test_support::git::{self, BareRepo};
use svc_test_support::postgres::PgCluster;

use crate::admin::peers::SECRET;
use crate::admin::rig::Client;
use crate::admin::server::within;
use crate::peer_server::{PeerServer, SITE};
use forge::{FORGEJO, Forge, ForgeDialect, GITEA, GITHUB, GITLAB, Mood, TOKEN};

/// Timeout for eventual results on a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);
const PREVIEW: &str = "pr-12.preview.example.com";

/// A repository, its forge, and the directories of servers.
struct Scene {
    dir: tempfile::TempDir,
    origin: BareRepo,
    forge: Forge,
    _cluster: Option<Arc<PgCluster>>,
}

impl Scene {
    /// `None` without Git.
    fn new(dialect: ForgeDialect) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let origin = BareRepo::new(&dir.path().join("origin.git"))?;
        let store = format!("sqlite:{}", dir.path().join("store.sqlite").display());
        fs::write(dir.path().join("store"), store).unwrap();
        fs::write(dir.path().join("secret"), SECRET).unwrap();
        fs::write(dir.path().join("token"), TOKEN).unwrap();
        let scene = Self {
            dir,
            origin,
            forge: Forge::start(dialect),
            _cluster: None,
        };
        scene.commit("refs/heads/main", &[("index", "Home", "The first words.")]);
        Some(scene)
    }

    /// Commits pages: name, title and text. Returns the ID of the commit.
    fn commit(&self, reference: &str, pages: &[(&str, &str, &str)]) -> String {
        let names: Vec<&str> = pages.iter().map(|(name, _, _)| *name).collect();
        let config = format!(
            r##"{{"theme": "svc", "name": "A", "colors": {{"primary": "#070"}}, "navigation": {{"pages": {names:?}}}}}"##
        );
        let pages: Vec<(String, String)> = pages
            .iter()
            .map(|(name, title, text)| {
                let title = Value::from(*title);
                (
                    format!("{name}.mdx"),
                    format!("---\ntitle: {title}\n---\n{text}\n"),
                )
            })
            .collect();
        let mut files = vec![git::File::Text("docs.json", &config)];
        files.extend(pages.iter().map(|(path, text)| git::File::Text(path, text)));
        self.commit_files(reference, &files)
    }

    fn commit_files(&self, reference: &str, files: &[git::File<'_>]) -> String {
        let tree = self.origin.tree(files);
        let commit = self.origin.git(&["commit-tree", "-m", "A change", &tree]);
        self.origin.git(&["update-ref", reference, &commit]);
        commit.trim().to_owned()
    }

    fn more(&self) -> String {
        format!(
            "forks = true\n[projects.webhook]\nsecret_file = \"secret\"\n\
             [projects.pull_requests]\nforge = \"{}\"\nrepository = \"{}\"\ntoken_file = \"token\"\n",
            self.forge.dialect.name,
            self.forge.repository()
        )
    }

    /// Starts a server that serves the site.
    fn start(&self, name: &str) -> PeerServer {
        let server = PeerServer::start(self.dir.path(), name, &self.more());
        let shown = within(WAIT_TIMEOUT, || server.page(SITE).status == 200);
        assert!(shown, "{}", self.log(name));
        server
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.dir.path().join(format!("{name}.log"))).unwrap_or_default()
    }

    /// Sends an event of pull request 12 from a fork.
    fn request(&self, server: &PeerServer, action: &str, commit: &str) {
        self.event(server, (action, 12), ("x", 2), commit);
    }

    /// Sends an event of a pull request: its action and number, its branch and the repository of that.
    fn event(
        &self,
        server: &PeerServer,
        (action, number): (&str, u64),
        (branch, repository): (&str, u64),
        commit: &str,
    ) {
        let dialect = &self.forge.dialect;
        let body = match dialect.name {
            "gitlab" => json!({
                "object_kind": "merge_request",
                "object_attributes": {
                    "iid": number, "source_branch": branch, "source_project_id": repository,
                    "target_project_id": 1, "last_commit": {"id": commit}, "oldrev": commit,
                    "action": match action {
                        "opened" => "open", "reopened" => "reopen", "closed" => "close", _ => "update",
                    },
                },
            }),
            _ => json!({
                "action": action, "number": number,
                "pull_request": {
                    "head": {"ref": branch, "sha": commit, "repo": {"id": repository}},
                    "base": {"ref": "main", "repo": {"id": 1}},
                },
            }),
        };
        deliver(server, dialect.name, "pull_request", &body.to_string());
    }

    /// Waits until a commit has a state, and returns the sentence and the URL.
    fn status(&self, commit: &str, state: usize, name: &str) -> (String, String) {
        let state = self.forge.dialect.states[state];
        let has = || {
            self.forge
                .status(commit)
                .is_some_and(|status| status.0 == state)
        };
        assert!(
            within(WAIT_TIMEOUT, has),
            "{:?} is not {state}: {}",
            self.forge.status(commit),
            self.log(name)
        );
        let (_, sentence, url) = self.forge.status(commit).unwrap();
        (sentence, url)
    }

    /// Waits until the only comment contains a text, and returns it with its ID.
    fn comment(&self, text: &str, name: &str) -> (u64, String) {
        let has = || {
            let comments = self.forge.comments();
            comments.iter().any(|(_, comment)| comment.contains(text))
        };
        assert!(
            within(WAIT_TIMEOUT, has),
            "{text}: {:?} {}",
            self.forge.comments(),
            self.log(name)
        );
        let mut comments = self.forge.comments();
        assert_eq!(comments.len(), 1, "{comments:?}");
        comments.remove(0)
    }
}

/// Sends a signed delivery of a forge.
fn deliver(server: &PeerServer, forge: &str, kind: &str, body: &str) {
    let mut code = Hmac::<sha2::Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    code.update(body.as_bytes());
    let code = code.finalize().into_bytes();
    let code: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
    let heads = match forge {
        "github" => format!("x-github-event: {kind}\r\nx-hub-signature-256: sha256={code}"),
        "gitlab" => format!("x-gitlab-event: {kind}\r\nx-gitlab-token: {SECRET}"),
        "gitea" => format!("x-gitea-event: {kind}\r\nx-gitea-signature: {code}"),
        _ => format!("x-forgejo-event: {kind}\r\nx-forgejo-signature: {code}"),
    };
    let request = format!(
        "POST /_svc/webhook HTTP/1.1\r\nhost: {SITE}\r\ncontent-type: application/json\r\n{heads}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let response = Client::new(server.sites).raw(request.as_bytes(), false);
    assert!(response.status < 300, "{}", response.text());
}

fn pull_request_has_one_status_per_commit_and_one_comment(dialect: ForgeDialect) {
    let Some(scene) = Scene::new(dialect) else {
        return;
    };
    let server = scene.start("one");
    let reference = dialect.reference;
    let [_, success, failure] = dialect.states;
    let broken = "Other words. [Broken](/nowhere)";
    let pages = [("index", "Home", broken), ("new", "New page", "New.")];
    let first = scene.commit(reference, &pages);
    scene.request(&server, "opened", &first);
    let (sentence, url) = scene.status(&first, 1, "one");
    assert_eq!(sentence, "2 pages changed, 1 new problem");
    assert_eq!(url, format!("https://{PREVIEW}/"));
    let (id, text) = scene.comment("2 pages", "one");
    let line = match dialect.name {
        "github" => format!("/blob/{first}/index.mdx?plain=1#L4"),
        "gitlab" => format!("/-/blob/{first}/index.mdx?plain=1#L4"),
        _ => format!("/src/commit/{first}/index.mdx?display=source#L4"),
    };
    for part in [
        &first[..10],
        "- changed: [Home](https://pr-12.preview.example.com/?changes)\n",
        "- added: [New page](https://pr-12.preview.example.com/new?changes)\n",
        "**1 new broken link:**",
        &format!(
            "- [`index.mdx:4`]({}{line}) `link-broken`: ",
            scene.forge.repository()
        ),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // A push changes the comment, and the new commit has a status.
    let second = scene.commit(reference, &[("index", "Home", "The first words.")]);
    scene.request(&server, "synchronize", &second);
    assert_eq!(scene.status(&second, 1, "one").0, "no pages changed");
    assert_eq!(scene.comment("No pages differ", "one").0, id);
    assert_eq!(
        scene.forge.states(&first).last().map(String::as_str),
        Some(success)
    );
    let third = scene.commit_files(reference, &[git::File::Text("docs.json", "{")]);
    scene.request(&server, "synchronize", &third);
    assert!(
        scene.status(&third, 2, "one").0.contains("docs.json:1:"),
        "{failure}"
    );
    let (same, text) = scene.comment("could not be built", "one");
    assert_eq!(same, id);
    assert!(text.contains("[`docs.json:1`]"), "{text}");
    // The end of the pull request is in the comment.
    scene.request(&server, "closed", &third);
    assert_eq!(scene.comment("\nClosed. ", "one").0, id);
    assert_eq!(server.page(PREVIEW).status, 421);
    // It begins again.
    let fourth = scene.commit(reference, &[("index", "Home", "Last words.")]);
    scene.request(&server, "reopened", &fourth);
    scene.status(&fourth, 1, "one");
    assert_eq!(scene.comment("1 page", "one").0, id);
    assert!(!scene.log("one").contains(TOKEN), "{}", scene.log("one"));
}

#[test]
fn github_has_one_status_per_commit_and_one_comment() {
    pull_request_has_one_status_per_commit_and_one_comment(GITHUB);
}

#[test]
fn gitlab_has_one_status_per_commit_and_one_comment() {
    pull_request_has_one_status_per_commit_and_one_comment(GITLAB);
}

#[test]
fn gitea_has_one_status_per_commit_and_one_comment() {
    pull_request_has_one_status_per_commit_and_one_comment(GITEA);
}

#[test]
fn forgejo_has_one_status_per_commit_and_one_comment() {
    pull_request_has_one_status_per_commit_and_one_comment(FORGEJO);
}

#[test]
fn the_preview_of_a_branch_is_shown_at_its_pull_request() {
    for dialect in [GITHUB, GITLAB] {
        let Some(scene) = Scene::new(dialect) else {
            return;
        };
        let server = scene.start("one");
        let words = [("index", "Home", "Words of a branch.")];
        let commit = scene.commit("refs/heads/feature", &words);
        // The push was not delivered yet, so that nothing is built.
        scene.event(&server, ("opened", 7), ("feature", 1), &commit);
        let sentence = scene.status(&commit, 0, "one").0;
        assert_eq!(sentence, "the preview is being built");
        assert_eq!(scene.forge.comments(), []);
        let push = match dialect.name {
            "gitlab" => {
                json!({"object_kind": "push", "ref": "refs/heads/feature", "after": commit})
            }
            _ => json!({"ref": "refs/heads/feature", "after": commit}),
        };
        deliver(&server, dialect.name, "push", &push.to_string());
        let url = scene.status(&commit, 1, "one").1;
        assert_eq!(url, "https://feature.preview.example.com/");
        assert_eq!(scene.forge.states(&commit), dialect.states[..2]);
        let (id, _) = scene.comment("1 page", "one");
        // The branch keeps its preview.
        scene.event(&server, ("closed", 7), ("feature", 1), &commit);
        assert_eq!(scene.comment("\nClosed. ", "one").0, id);
        assert_eq!(server.page("feature.preview.example.com").status, 200);
    }
}

#[test]
fn a_server_that_stops_in_the_middle_continues_after_a_start() {
    let Some(scene) = Scene::new(GITHUB) else {
        return;
    };
    let server = scene.start("one");
    scene.forge.set_mood(Mood::Down);
    let commit = scene.commit(GITHUB.reference, &[("index", "Home", "Other words.")]);
    scene.request(&server, "opened", &commit);
    assert!(within(WAIT_TIMEOUT, || scene.forge.rejected() > 0));
    assert!(within(WAIT_TIMEOUT, || server.page(PREVIEW).status == 200));
    drop(server);
    scene.forge.set_mood(Mood::Well);
    let server = scene.start("one");
    scene.status(&commit, 1, "one");
    let (id, _) = scene.comment("1 page", "one");
    drop(server);
    // Without the store, the comment is found by what it begins with.
    fs::remove_file(scene.dir.path().join("store.sqlite")).unwrap();
    let _ = fs::remove_file(scene.dir.path().join("store.sqlite-wal"));
    let _ = fs::remove_file(scene.dir.path().join("store.sqlite-shm"));
    let server = scene.start("one");
    let second = scene.commit(GITHUB.reference, &[("index", "Home", "New words.")]);
    scene.request(&server, "synchronize", &second);
    scene.status(&second, 1, "one");
    assert_eq!(scene.comment(&second[..10], "one").0, id);
    // A comment that a person has deleted is written again with the next commit.
    scene.forge.delete_comments();
    let third = scene.commit(GITHUB.reference, &[("index", "Home", "Newer words.")]);
    scene.request(&server, "synchronize", &third);
    scene.status(&third, 1, "one");
    scene.comment(&third[..10], "one");
}

#[test]
fn a_forge_that_was_down_gets_what_it_missed() {
    let Some(scene) = Scene::new(GITLAB) else {
        return;
    };
    let server = scene.start("one");
    scene.forge.set_mood(Mood::Down);
    let first = scene.commit(GITLAB.reference, &[("index", "Home", "Other words.")]);
    scene.request(&server, "opened", &first);
    assert!(within(WAIT_TIMEOUT, || scene.forge.rejected() >= 3));
    // The deployment does not depend on it.
    assert!(within(WAIT_TIMEOUT, || server.page(PREVIEW).status == 200));
    let second = scene.commit(GITLAB.reference, &[("index", "Home", "New words.")]);
    scene.request(&server, "synchronize", &second);
    scene.forge.set_mood(Mood::Well);
    scene.status(&second, 1, "one");
    scene.comment(&second[..10], "one");
    let log = scene.log("one");
    let failure = "pull request 12 cannot be updated: GitLab responded with 503";
    assert!(log.contains(failure), "{log}");
}

#[test]
fn a_rejected_token_is_reported_once_and_a_reload_tries_again() {
    let Some(scene) = Scene::new(GITHUB) else {
        return;
    };
    let server = scene.start("one");
    scene.forge.set_mood(Mood::Forbidding);
    let commit = scene.commit(GITHUB.reference, &[("index", "Home", "Other words.")]);
    scene.request(&server, "opened", &commit);
    let failure = "pull request 12 cannot be updated: GitHub responded with 403 Forbidden: *** is not allowed";
    // The deployment page shows the log of the deployment.
    let reports = scene.dir.path().join("one/projects/docs/deployments");
    let in_report = || {
        let files = fs::read_dir(&reports).into_iter().flatten().flatten();
        let mut texts = files.map(|file| fs::read_to_string(file.path()).unwrap_or_default());
        texts.any(|text| text.contains(failure))
    };
    assert!(within(WAIT_TIMEOUT, in_report), "{}", scene.log("one"));
    server.reload(scene.dir.path(), "one", &scene.more());
    let before = scene.forge.rejected();
    assert!(within(WAIT_TIMEOUT, || scene.forge.rejected() > before));
    assert_eq!(server.page(SITE).status, 200);
    scene.forge.set_mood(Mood::Well);
    server.reload(scene.dir.path(), "one", &scene.more());
    scene.status(&commit, 1, "one");
    scene.comment("1 page", "one");
    let log = scene.log("one");
    assert_eq!(log.matches("cannot be updated").count(), 1, "{log}");
    assert!(!log.contains(TOKEN), "{log}");
}

#[test]
fn two_servers_of_a_database_write_one_comment() {
    let Some(cluster) = PgCluster::shared() else {
        return;
    };
    let Some(mut scene) = Scene::new(GITEA) else {
        return;
    };
    fs::write(scene.dir.path().join("store"), cluster.create_database()).unwrap();
    scene._cluster = Some(cluster);
    let (one, other) = (scene.start("one"), scene.start("other"));
    let first = scene.commit(GITEA.reference, &[("index", "Home", "Other words.")]);
    scene.request(&one, "opened", &first);
    for server in [&one, &other] {
        assert!(within(WAIT_TIMEOUT, || server.page(PREVIEW).status == 200));
    }
    scene.status(&first, 1, "one");
    let (id, _) = scene.comment("1 page", "one");
    let second = scene.commit(GITEA.reference, &[("index", "Home", "New words.")]);
    scene.request(&other, "synchronize", &second);
    for server in [&one, &other] {
        let shown = || server.page(PREVIEW).text().contains("New words.");
        assert!(within(WAIT_TIMEOUT, shown));
    }
    scene.status(&second, 1, "other");
    assert_eq!(scene.comment(&second[..10], "other").0, id);
    // The server that is left sends what the other one does not.
    drop(one);
    scene.request(&other, "closed", &second);
    assert_eq!(scene.comment("\nClosed. ", "other").0, id);
}

#[test]
fn hostile_texts_are_only_texts() {
    let Some(scene) = Scene::new(GITHUB) else {
        return;
    };
    let server = scene.start("one");
    let title = "@ada <img src=x onerror=alert(1)> #12 [x](javascript:y) GH-3 `-->` https://forge.example/a/b/issues/1";
    let text = "[@bob #13](/`@eve`-#14)\n\n[b](/<b>)\n";
    let name = "a`@mallory #15";
    let pages = [("index", title, text), (name, title, "New.")];
    let commit = scene.commit(GITHUB.reference, &pages);
    scene.request(&server, "opened", &commit);
    let (_, text) = scene.comment("differ", "one");
    // Characters after a backslash have no meaning.
    let (_, rest) = text.split_once('\n').unwrap();
    let mut plain = String::new();
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            letter => plain.push(letter),
        }
    }
    for markup in [
        "@ada",
        "<img",
        " #12",
        "GH-3",
        "https://forge",
        "[x](",
        "-->",
    ] {
        assert!(!plain.contains(markup), "{markup}: {text}");
    }
    assert!(text.contains("\\@\u{200b}ada"), "{text}");
}
