//! Statuses and comments on pull requests, at stand-ins of all forges.

mod failures;
mod forge;
mod scene;

use serde_json::json;
use svc_test_support::git;

use self::forge::{FORGEJO, ForgeDialect, GITEA, GITHUB, GITLAB, TOKEN};
use self::scene::{PREVIEW, Scene, deliver};

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
