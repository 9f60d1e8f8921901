//! Dates from the history.

use crate::support;

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use support::File::Text;
use support::http::{Server, ServerOptions};
use support::{Fixture, has_git};
use svc_git::{Options, Repository, RepositoryLimits, WorkTree};

/// Expected dates from `git log`.
fn expected(fixture: &Fixture, commit: &str) -> BTreeMap<String, String> {
    let names = fixture.git(&["ls-tree", "-r", "--name-only", commit]);
    let day = |name: &str| {
        let format = "--format=%cd";
        fixture.git(&[
            "log",
            "-1",
            "--date=format:%Y-%m-%d",
            format,
            commit,
            "--",
            name,
        ])
    };
    names
        .lines()
        .map(|name| (name.to_owned(), day(name)))
        .collect()
}

/// A history with a merge, a file that was deleted and added again, and several time zones.
fn history(fixture: &Fixture) -> Vec<String> {
    let mut commits = vec![
        fixture.commit(
            "2024-01-01T12:00:00Z",
            &[Text("a", "1"), Text("d/b", "1"), Text("c", "1")],
        ),
        fixture.commit(
            "2024-01-02T23:30:00-05:00",
            &[Text("a", "2"), Text("d/b", "1"), Text("c", "1")],
        ),
        fixture.commit("2024-01-04T12:00:00Z", &[Text("a", "2"), Text("d/b", "1")]),
        fixture.commit(
            "2024-01-05T12:00:00Z",
            &[Text("a", "2"), Text("d/b", "1"), Text("c", "1")],
        ),
    ];
    let branch = fixture.tree(&[Text("a", "2"), Text("d/b", "branch"), Text("c", "1")]);
    fixture.git(&["update-ref", "refs/heads/side", &commits[3]]);
    let side = fixture.commit_tree(&branch, "side", "2024-01-06T12:00:00Z");
    commits.push(fixture.commit(
        "2024-01-07T12:00:00Z",
        &[Text("a", "3"), Text("d/b", "1"), Text("c", "1")],
    ));
    let merged = fixture.tree(&[
        Text("a", "3"),
        Text("d/b", "branch"),
        Text("c", "1"),
        Text("e", "evil"),
    ]);
    let merge = fixture.git_with(
        &[
            "commit-tree",
            &merged,
            "-m",
            "m",
            "-p",
            &commits[4],
            "-p",
            &side,
        ],
        b"",
        "2024-01-08T12:00:00Z",
    );
    fixture.git(&["update-ref", "refs/heads/main", &merge]);
    commits.push(merge);
    commits.push(fixture.commit(
        "2024-01-09T12:00:00Z",
        &[
            Text("a", "3"),
            Text("d/b", "branch"),
            Text("c", "1"),
            Text("e", "evil"),
            Text("d/new", "1"),
        ],
    ));
    commits
}

#[test]
fn dates_equal_git_log_with_and_without_cached_dates() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let commits = history(&fixture);
    let repository = fixture.local(&Options::default());
    // In reverse without cached results, and forward with a cached result per commit.
    for order in [
        commits.iter().rev().collect::<Vec<_>>(),
        commits.iter().collect(),
    ] {
        let _ = fs::remove_dir_all(fixture.path("store"));
        for id in order {
            let commit = svc_git::CommitId::parse(id).expect("a commit");
            let dates = repository.dates(&commit).expect("dates");
            let mut expected_dates = expected(&fixture, id);
            // `git log` shows the change of `e` in the merge only with further options.
            if expected_dates.contains_key("e") {
                expected_dates.insert("e".to_owned(), "2024-01-08".to_owned());
            }
            assert_eq!(dates, expected_dates, "{id}");
        }
    }
    let subfolder = Options {
        subfolder: "d".to_owned(),
        ..Options::default()
    };
    let repository = fixture.local(&subfolder);
    let last = svc_git::CommitId::parse(&commits[6]).expect("a commit");
    let dates = repository.dates(&last).expect("dates");
    let expected_dates = [("b", "2024-01-06"), ("new", "2024-01-09")];
    assert_eq!(
        dates,
        expected_dates
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .into()
    );
    assert!(repository.dates(&last).expect("kept dates") == dates);
}

#[test]
fn dates_missing_from_an_aborted_walk_are_added_with_the_next_commit() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let dated = |limits: RepositoryLimits, id: &str| {
        let options = Options {
            limits,
            ..Options::default()
        };
        let commit = svc_git::CommitId::parse(id).expect("a commit");
        fixture.local(&options).dates(&commit).expect("dates")
    };
    let short = || RepositoryLimits {
        max_commits: 1,
        ..RepositoryLimits::default()
    };
    let first = fixture.commit("2024-01-01T12:00:00Z", &[Text("a", "1"), Text("b", "1")]);
    let second = fixture.commit("2024-01-02T12:00:00Z", &[Text("a", "2"), Text("b", "1")]);
    let day = |name: &str, day: &str| (name.to_owned(), day.to_owned());
    assert_eq!(
        dated(short(), &second),
        BTreeMap::from([day("a", "2024-01-02")])
    );
    let third = fixture.commit("2024-01-03T12:00:00Z", &[Text("a", "3"), Text("b", "1")]);
    assert_eq!(
        dated(RepositoryLimits::default(), &third),
        BTreeMap::from([day("a", "2024-01-03"), day("b", "2024-01-01")])
    );
    // Aborted between cached and new commits: no date is better than an outdated one.
    let _ = fs::remove_dir_all(fixture.path("store/dates"));
    dated(RepositoryLimits::default(), &first);
    assert_eq!(
        dated(short(), &third),
        BTreeMap::from([day("a", "2024-01-03")])
    );
}

#[test]
fn a_shallow_history_gives_no_dates() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let commits = history(&fixture);
    let server = Server::start(fixture.dir.path().to_owned(), ServerOptions::default());
    for history in [false, true] {
        let options = Options {
            allow_http: true,
            history,
            ..Options::default()
        };
        let repository = fixture.open(&server.url(), &options);
        let commit = repository.fetch("main").expect("a commit");
        let _ = fs::remove_dir_all(fixture.path("store/dates"));
        let dates = repository.dates(&commit.id).expect("dates");
        match history {
            false => assert_eq!(dates, BTreeMap::new()),
            true => assert_eq!(dates.len(), expected(&fixture, &commits[6]).len()),
        }
    }
}

#[test]
fn a_work_tree_has_dates_of_its_subfolder() {
    if !has_git() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    assert!(WorkTree::discover(dir.path()).is_none());
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command
            .arg("-C")
            .arg(dir.path())
            .args(["-c", "user.name=a", "-c", "user.email=a@b.c"]);
        command
            .args(arguments)
            .env("GIT_COMMITTER_DATE", "2024-05-06T12:00:00Z");
        assert!(
            command.output().is_ok_and(|output| output.status.success()),
            "{arguments:?}"
        );
    };
    git(&["init", "-q"]);
    assert!(WorkTree::discover(dir.path()).is_some_and(|tree| tree.head().is_none()));
    let docs = dir.path().join("docs");
    fs::create_dir(&docs).expect("a folder");
    fs::write(docs.join("ä b.mdx"), "text").expect("a file");
    fs::write(dir.path().join("other"), "text").expect("a file");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "one"]);
    // Neither a lock nor another work tree prevents reading.
    fs::write(dir.path().join(".git/index.lock"), "").expect("a file");
    let tree = WorkTree::discover(&docs).expect("a work tree");
    let head = tree.head().expect("a commit");
    let dates = tree.dates(head, None);
    assert_eq!(
        dates,
        BTreeMap::from([("ä b.mdx".to_owned(), "2024-05-06".to_owned())])
    );
    fs::remove_file(dir.path().join(".git/index.lock")).expect("removed");
    let linked = tempfile::tempdir().expect("a folder");
    let path = linked.path().join("linked");
    git(&[
        "worktree",
        "add",
        "-q",
        "--detach",
        path.to_str().expect("text"),
    ]);
    let tree = WorkTree::discover(&path.join("docs")).expect("a linked work tree");
    assert_eq!(tree.head(), Some(head));
    assert_eq!(tree.dates(head, None), dates);
    let store = linked.path().join("store");
    let result = Repository::open(&store, path.to_str().expect("text"), &Options::default());
    assert_eq!(
        result
            .expect("opened")
            .fetch("HEAD")
            .expect("a commit")
            .id
            .to_string(),
        head.to_string()
    );
    // Cached dates need no history.
    let cache = linked.path().join("kept");
    for _ in 0..2 {
        let tree = WorkTree::discover(&docs).expect("a work tree");
        assert_eq!(tree.dates(head, Some(&cache)), dates);
        let _ = fs::remove_dir_all(dir.path().join(".git/objects"));
        fs::create_dir(dir.path().join(".git/objects")).expect("a folder");
    }
}
