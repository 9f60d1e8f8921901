//! Local repositories, read in place.

use crate::support;

use std::fs;

use support::File::{Link, Program, Submodule, Text};
use support::{Fixture, check_branch_lifecycle, codes, files, listing, tree_bytes};
use svc_git::{GitError, Options, PreviousExport, Repository, RepositoryLimits, WorkTree};

#[test]
fn a_branch_is_followed() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let url = format!("file://{}", fixture.bare().display());
    check_branch_lifecycle(&fixture, &url, &Options::default());
}

#[test]
fn an_export_contains_regular_files_and_reports_omitted_ones() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    let id = fixture.commit(
        "2024-01-01T12:00:00Z",
        &[
            Text("docs.json", "{}"),
            Text(".gitattributes", "* filter=x ident\n*.mdx text eol=crlf\n"),
            Text("a.mdx", "$Id$\nline\n"),
            Program("run.sh", "#!/bin/sh\n"),
            Text("picture.png", pointer),
            Submodule("module"),
            Text(
                ".gitmodules",
                "[submodule \"module\"]\npath = module\nurl = ext::sh -c 'touch x'\n",
            ),
            Link("fine", "docs.json"),
            Link("d/up", "../a.mdx"),
            Link("outside", "../../../etc/passwd"),
            Link("d/outside", "/etc/passwd"),
            Link("self", "."),
            Link("d/trick", "../self/../../x"),
        ],
    );
    let repository = fixture.local(&Options::default());
    let commit = repository.fetch("main").expect("a commit");
    let into = fixture.path("out");
    let diagnostics = repository.export(&commit.id, &into, None).expect("files");
    assert_eq!(
        listing(&into),
        [
            ".gitattributes",
            ".gitmodules",
            "a.mdx",
            "d/up -> ../a.mdx",
            "docs.json",
            "fine -> docs.json",
            "run.sh",
            "self -> .",
        ]
    );
    assert_eq!(
        fs::read_to_string(into.join("a.mdx")).expect("a file"),
        "$Id$\nline\n"
    );
    assert_eq!(
        codes(&diagnostics),
        [
            "git-link-outside",
            "git-link-outside",
            "git-submodule",
            "git-link-outside",
            "git-lfs-pointer"
        ]
    );
    assert_eq!(diagnostics[4].location_string(), "picture.png:1:1");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(into.join("run.sh"))
            .expect("data")
            .permissions()
            .mode();
        assert_eq!(mode & 0o111, 0);
    }
    assert_eq!(commit.id.to_string(), id);
}

#[test]
fn unsafe_file_names_are_omitted() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let blob = fixture.blob(b"evil");
    let inner = fixture.raw("tree", &tree_bytes(&[("100644", b"config", &blob)]));
    let entries: [(&str, &[u8], &str); 10] = [
        ("100644", b"..", &blob),
        ("40000", b".git", &inner),
        ("40000", b".GIT ", &inner),
        ("40000", b"git~1", &inner),
        ("100644", b"a/../../b", &blob),
        ("100644", b"good", &blob),
        ("40000", b"good", &inner),
        ("100644", b"good", &blob),
        ("100644", b"\xff\xfe", &blob),
        ("120000", b"zlink", &blob),
    ];
    let tree = fixture.raw("tree", &tree_bytes(&entries));
    fixture.commit_tree(&tree, "main", "2024-01-01T12:00:00Z");
    let repository = fixture.local(&Options::default());
    let commit = repository.fetch("main").expect("a commit");
    let into = fixture.path("sub/out");
    let diagnostics = repository.export(&commit.id, &into, None).expect("files");
    assert_eq!(listing(&into), ["good", "zlink -> evil"]);
    assert_eq!(codes(&diagnostics), ["git-unsafe-name"; 8]);
    assert_eq!(
        listing(&fixture.path("sub")),
        ["out/good", "out/zlink -> evil"]
    );
}

#[test]
fn trees_with_exponential_growth_are_rejected() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let blob = fixture.blob(b"x");
    // Each tree contains the previous one ten times: 10^30 files.
    let mut tree = fixture.raw("tree", &tree_bytes(&[("100644", b"f", &blob)]));
    for _ in 0..30 {
        let names: Vec<String> = (0..10).map(|n| n.to_string()).collect();
        let entries: Vec<_> = names
            .iter()
            .map(|name| ("40000", name.as_bytes(), tree.as_str()))
            .collect();
        tree = fixture.raw("tree", &tree_bytes(&entries));
    }
    fixture.commit_tree(&tree, "main", "2024-01-01T12:00:00Z");
    let options = Options {
        limits: RepositoryLimits {
            max_files: 2_000,
            ..RepositoryLimits::default()
        },
        ..Options::default()
    };
    let repository = fixture.local(&options);
    let commit = repository.fetch("main").expect("a commit");
    let wide = repository.export(&commit.id, &fixture.path("out"), None);
    assert_eq!(
        wide.expect_err("too many").to_string(),
        "the repository is too large: more than 2000 files"
    );
    assert!(!fixture.path("out").exists(), "nothing was written");
    for _ in 0..200 {
        tree = fixture.raw("tree", &tree_bytes(&[("40000", b"d", &tree)]));
    }
    let deep = fixture.commit_tree(&tree, "deep", "2024-01-01T12:00:00Z");
    let commit = repository.fetch("deep").expect("a commit");
    assert_eq!(commit.id.to_string(), deep);
    let error = repository
        .export(&commit.id, &fixture.path("deep"), None)
        .expect_err("too deep");
    assert!(
        error.to_string().contains("64 folders within each other"),
        "{error}"
    );
    assert!(repository.dates(&commit.id).is_err());
}

#[test]
fn limits_of_files_and_bytes_are_enforced() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let large = "x".repeat(5_000);
    fixture.commit(
        "2024-01-01T12:00:00Z",
        &[Text("a", "1"), Text("big", &large), Text("z", "1")],
    );
    let with = |limits| Options {
        limits,
        ..Options::default()
    };
    let repository = fixture.local(&with(RepositoryLimits {
        max_file_bytes: 4_999,
        ..RepositoryLimits::default()
    }));
    let commit = repository.fetch("main").expect("a commit");
    let diagnostics = repository
        .export(&commit.id, &fixture.path("one"), None)
        .expect("files");
    assert_eq!(codes(&diagnostics), ["git-file-too-large"]);
    assert_eq!(listing(&fixture.path("one")), ["a", "z"]);
    let repository = fixture.local(&with(RepositoryLimits {
        max_total_bytes: 5_001,
        ..RepositoryLimits::default()
    }));
    let error = repository
        .export(&commit.id, &fixture.path("two"), None)
        .expect_err("too large");
    assert!(
        error.to_string().contains("5001 bytes in its files"),
        "{error}"
    );
    assert!(!fixture.path("two").exists(), "nothing was written");
}

#[test]
fn unchanged_files_are_linked_from_the_previous_export() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    fixture.commit(
        "2024-01-01T12:00:00Z",
        &[Text("same/a", "1"), Text("b", "1"), Text("c", "1")],
    );
    let repository = fixture.local(&Options::default());
    let first = repository.fetch("main").expect("a commit");
    let old = fixture.path("old");
    repository.export(&first.id, &old, None).expect("files");
    fs::remove_file(old.join("c")).expect("removed");
    fixture.commit(
        "2024-01-02T12:00:00Z",
        &[
            Text("same/a", "1"),
            Text("b", "2"),
            Text("c", "1"),
            Text("d", "1"),
        ],
    );
    let second = repository.fetch("main").expect("a commit");
    let previous = PreviousExport {
        commit: first.id,
        dir: &old,
    };
    let new = fixture.path("new");
    let diagnostics = repository
        .export(&second.id, &new, Some(previous))
        .expect("files");
    assert!(diagnostics.is_empty());
    assert_eq!(listing(&new), ["b", "c", "d", "same/a"]);
    let read = |path: &str| fs::read_to_string(new.join(path)).expect("a file");
    assert_eq!(
        (read("same/a"), read("b"), read("c")),
        ("1".into(), "2".into(), "1".into())
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let links = |path: &str| fs::metadata(new.join(path)).expect("data").nlink();
        assert_eq!((links("same/a"), links("b"), links("c")), (2, 1, 1));
    }
}

#[test]
fn a_missing_repository_is_reported_and_lock_files_are_ignored() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let id = fixture.commit("2024-01-01T12:00:00Z", &[Text("docs.json", "{}")]);
    for lock in [
        "index.lock",
        "HEAD.lock",
        "packed-refs.lock",
        "shallow.lock",
    ] {
        fs::write(fixture.bare().join(lock), "").expect("written");
    }
    let repository = fixture.local(&Options::default());
    assert_eq!(files(&fixture, &repository, "main").0.id.to_string(), id);
    for name in ["nothing", "store"] {
        fs::create_dir_all(fixture.path("store")).expect("a folder");
        let path = fixture.path(name);
        let repository = Repository::open(
            &fixture.path("s"),
            path.to_str().expect("text"),
            &Options::default(),
        );
        let error = repository
            .expect("opened")
            .fetch("main")
            .expect_err("nothing there");
        assert!(matches!(error, GitError::NotFound(_)), "{error}");
    }
    for bad in ["../x", "a/../../b", "a//b", "a\\b"] {
        let options = Options {
            subfolder: bad.to_owned(),
            ..Options::default()
        };
        let result = Repository::open(&fixture.path("s"), "/x", &options);
        assert!(
            matches!(result, Err(GitError::InvalidSubfolder(_))),
            "{bad}"
        );
    }
}

#[test]
fn a_work_tree_reads_the_files_of_other_revisions() {
    let Some(fixture) = Fixture::new() else {
        return;
    };
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    fixture.commit_on(
        "release/1.x",
        &[
            Text("docs/docs.json", "{}"),
            Text("docs/a/b.mdx", "B"),
            Text("docs/big", "0123456789"),
            Text("docs/picture.png", pointer),
            Link("docs/link", "a/b.mdx"),
            Link("docs/outside", "../../x"),
            Submodule("docs/module"),
            Text("other", "x"),
        ],
    );
    fixture.commit_on("main", &[Text("docs/docs.json", "new")]);
    fixture.commit_on("rootless", &[Text("other", "x")]);
    let clone = fixture.path("clone");
    let (from, to) = (
        fixture.bare().display().to_string(),
        clone.display().to_string(),
    );
    fixture.git(&["clone", "-q", &from, &to]);
    let tree = WorkTree::discover(&clone.join("docs")).expect("a repository");
    // The branch exists only at the remote.
    let commit = tree.resolve("release/1.x").expect("a commit");
    let limits = RepositoryLimits {
        max_file_bytes: 200,
        ..RepositoryLimits::default()
    };
    let read = tree.files(commit, &limits).expect("files");
    let names: Vec<&str> = read.value.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(names, ["a/b.mdx", "big", "docs.json", "link"]);
    assert_eq!(read.value[3].1, b"B");
    let mut found = codes(&read.diagnostics);
    found.sort_unstable();
    assert_eq!(
        found,
        ["git-lfs-pointer", "git-link-outside", "git-submodule"]
    );
    assert_eq!(tree.resolve(&commit.to_string()).expect("a commit"), commit);
    let fails = |limits: RepositoryLimits| tree.files(commit, &limits).is_err();
    assert!(fails(RepositoryLimits {
        max_files: 3,
        ..limits.clone()
    }));
    assert!(fails(RepositoryLimits {
        max_total_bytes: 5,
        ..limits.clone()
    }));
    assert!(fails(RepositoryLimits {
        max_depth: 0,
        ..limits.clone()
    }));
    let rootless = tree.resolve("rootless").expect("a commit");
    assert!(matches!(
        tree.files(rootless, &limits),
        Err(GitError::SubfolderNotFound(_))
    ));
    for name in ["--upload-pack=x", "a..b", "", "release"] {
        assert!(tree.resolve(name).is_err(), "{name}");
    }
    let missing = tree.resolve("relase/1.x").expect_err("no such branch");
    assert!(
        missing.to_string().contains("did you mean `release/1.x`?"),
        "{missing}"
    );
}
