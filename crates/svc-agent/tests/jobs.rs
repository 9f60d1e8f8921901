//! Jobs from the prompt to the pull request, on a local repository.

use crate::support;

use std::fs;
use std::time::{Duration, Instant};

use support::{World, link, mode, reason};
use svc_admin_api::agent_job::{JobStore as _, MAX_LOG_BYTES, Status};
use svc_agent::RunOutcome;
use svc_test_support::ports::free_port;

const PULL_REQUEST: &str = "https://forge.example/team/docs/pulls/7";

#[tokio::test]
async fn a_change_becomes_a_branch_and_a_pull_request() {
    let script = "cat > new.mdx; echo two > a/page.mdx; rm docs.json
        printf '\\000\\377\\001' > picture.png; chmod 755 picture.png; echo done; echo odd >&2";
    let Some(world) = World::new(script).await else {
        return;
    };
    let before = world.git(&["rev-parse", "main"]);
    let (outcome, log) = world.once("Write a page\nabout it").await;
    assert_eq!(link(&outcome).as_deref(), Some(PULL_REQUEST), "{log}");
    assert_eq!(world.branches(), ["main", "svc/job-job_1"]);
    assert_eq!(world.git(&["rev-parse", "main"]), before);
    assert_eq!(world.git(&["rev-parse", "svc/job-job_1^"]), before);
    let files = ["100644 a/page.mdx", "100644 new.mdx", "100755 picture.png"];
    assert_eq!(world.files("svc/job-job_1"), files);
    assert_eq!(
        world.git(&["show", "svc/job-job_1:new.mdx"]),
        "Write a page\nabout it"
    );
    assert_eq!(
        world.git(&["cat-file", "-s", "svc/job-job_1:picture.png"]),
        "3"
    );
    let shown = world.git(&["log", "-1", "--format=%an <%ae>%n%B", "svc/job-job_1"]);
    assert_eq!(
        shown,
        "svc agent <svc-agent@localhost>\nWrite a page\n\nAgent job job_1, turn 1."
    );
    for line in [
        "done\n",
        "odd\n",
        "\n  A new.mdx",
        "\n  D docs.json",
        PULL_REQUEST,
    ] {
        assert!(log.contains(line), "{line}: {log}");
    }
    let hook_input: serde_json::Value =
        serde_json::from_str(&world.text("hook.json")).expect("JSON");
    assert_eq!(hook_input["branch"], "svc/job-job_1");
    assert_eq!(hook_input["base"], "main");
    assert_eq!(hook_input["title"], "Write a page");
    assert_eq!(hook_input["job"], "job_1");
    assert_eq!(
        hook_input["commit"],
        world.git(&["rev-parse", "svc/job-job_1"])
    );
}

#[tokio::test]
async fn a_run_without_changes_succeeds_without_a_pull_request() {
    for script in [
        "cat > /dev/null",
        "exec <&-",
        "touch a/page.mdx; echo x > b; rm b; echo mine >> .git/config",
        "git add -A; git -c user.name=a -c user.email=b commit -q --allow-empty -m x",
    ] {
        let Some(world) = World::new(script).await else {
            return;
        };
        let (outcome, log) = world.once("Do nothing").await;
        assert_eq!(link(&outcome), None, "{script}: {log}");
        assert_eq!(world.branches(), ["main"], "{script}");
        assert!(
            log.ends_with("svc: completed: no file was changed\n"),
            "{log}"
        );
    }
}

#[tokio::test]
async fn commits_of_the_agent_are_included() {
    let script = "echo x > x; git add x; git -c user.name=a -c user.email=b commit -q -m x";
    let Some(world) = World::new(script).await else {
        return;
    };
    let (outcome, log) = world.once("Do it").await;
    assert!(link(&outcome).is_some(), "{log}");
    assert_eq!(world.git(&["show", "svc/job-job_1:x"]), "x");
    assert_eq!(
        world.git(&["rev-list", "--count", "main..svc/job-job_1"]),
        "1"
    );
}

#[tokio::test]
async fn the_agent_receives_its_job_but_no_data_of_the_server() {
    let script = "env > env.txt; cp \"$SVC_PROMPTS\" prompts.json; pwd > pwd.txt
        git remote -v > remote.txt; git log --oneline | wc -l > count.txt";
    let Some(mut world) = World::new(script).await else {
        return;
    };
    world.options.environment = vec!["CARGO_PKG_NAME".to_owned(), "NOT_THERE".to_owned()];
    let (outcome, log) = world.once("Say it").await;
    assert!(link(&outcome).is_some(), "{log}");
    let show = |name: &str| world.git(&["show", &format!("svc/job-job_1:{name}")]);
    let env = show("env.txt");
    for line in [
        "SVC_JOB_ID=job_1",
        "SVC_PROJECT=docs",
        "SVC_REF=main",
        "SVC_BRANCH=svc/job-job_1",
        "SVC_MODEL=small",
        "SVC_TURN=1",
        "SVC_ATTEMPT=1",
        "CARGO_PKG_NAME=svc-agent",
    ] {
        assert!(env.lines().any(|have| have == line), "{line}: {env}");
    }
    let names: Vec<&str> = env
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.0))
        .collect();
    for name in &names {
        let expected = name.starts_with("SVC_")
            || ["PATH", "LANG", "TZ", "HOME", "TMPDIR", "CARGO_PKG_NAME", "GIT_TERMINAL_PROMPT"].contains(name)
            // Added by the shell.
            || ["PWD", "OLDPWD", "SHLVL", "_"].contains(name);
        assert!(expected, "{name}");
    }
    assert!(names.contains(&"PATH"));
    assert_eq!(show("prompts.json"), "[\"Say it\"]");
    let dir = world
        .options
        .workspace_dir
        .canonicalize()
        .expect("a folder");
    assert!(show("pwd.txt").starts_with(dir.to_str().expect("a path")));
    assert_eq!(mode(&dir), 0o700);
}

#[tokio::test]
async fn a_follow_up_continues_the_branch() {
    let script =
        "cat >> said.txt; echo >> said.txt; cp \"$SVC_PROMPTS\" all.json; echo \"turn $SVC_TURN\"";
    let Some(world) = World::new(script).await else {
        return;
    };
    let id = world.job("job_1", "First").await;
    let first = world.run().await;
    assert!(link(&first).is_some());
    let tip = world.git(&["rev-parse", "svc/job-job_1"]);
    world.message(&id, "Second").await;
    let second = world.run().await;
    assert_eq!(link(&second).as_deref(), Some(PULL_REQUEST));
    assert_eq!(world.git(&["rev-parse", "svc/job-job_1^"]), tip);
    assert_eq!(
        world.git(&["show", "svc/job-job_1:said.txt"]),
        "First\nSecond"
    );
    assert_eq!(
        world.git(&["show", "svc/job-job_1:all.json"]),
        "[\"First\",\"Second\"]"
    );
    let log = world.log(&id).await;
    assert!(
        log.contains("begins with `svc/job-job_1`") && log.contains("turn 2"),
        "{log}"
    );

    // A follow-up without changes keeps the link.
    let mut world = world;
    world.agent("cat > /dev/null");
    world.message(&id, "Third").await;
    assert_eq!(link(&world.run().await), None);
    let job = world.state(&id).await;
    assert_eq!(job.pr_link().map(|link| link.as_str()), Some(PULL_REQUEST));

    // The branch was merged and deleted in between: start from the target branch.
    world.git(&["update-ref", "-d", "refs/heads/svc/job-job_1"]);
    world.agent("cat > late.txt");
    world.message(&id, "Fourth").await;
    assert!(link(&world.run().await).is_some());
    let base = world.git(&["rev-parse", "main"]);
    assert_eq!(world.git(&["rev-parse", "svc/job-job_1^"]), base);
}

#[tokio::test]
async fn without_a_branch_the_default_branch_is_used() {
    let Some(world) = World::new("echo x > x").await else {
        return;
    };
    world.git(&["branch", "-q", "-m", "main", "trunk"]);
    world.git(&["symbolic-ref", "HEAD", "refs/heads/trunk"]);
    let url = format!("file://{}", world.bare().display());
    let id = world.job_at(&url, None, "job_1", "Do it").await;
    let outcome = world.run().await;
    assert!(link(&outcome).is_some(), "{}", world.log(&id).await);
    let hook_input: serde_json::Value =
        serde_json::from_str(&world.text("hook.json")).expect("JSON");
    assert_eq!(hook_input["base"], "trunk");

    let id = world.job_at(&url, Some("gone"), "job_2", "Do it").await;
    let failure = reason(world.run().await);
    assert_eq!(failure, "the repository has no branch `gone`");
    assert_eq!(world.state(&id).await.status(), Status::Failed);
}

#[tokio::test]
async fn a_failing_agent_fails_the_job() {
    let Some(world) = World::new("echo x > x; echo broken >&2; exit 3").await else {
        return;
    };
    let (outcome, log) = world.once("Do it").await;
    assert_eq!(reason(outcome), "the agent failed (exit status: 3)");
    assert!(
        log.contains("broken\n") && log.contains("svc: failed: the agent failed"),
        "{log}"
    );
    assert_eq!(world.branches(), ["main"]);
}

#[tokio::test]
async fn a_missing_agent_fails_the_job() {
    let Some(mut world) = World::new("").await else {
        return;
    };
    world.options.command = vec!["/no/such/agent".to_owned()];
    let (outcome, _) = world.once("Do it").await;
    assert!(reason(outcome).starts_with("the agent `/no/such/agent` cannot be started: "));
}

#[tokio::test]
async fn an_agent_is_killed_with_its_child_processes_after_the_timeout() {
    let script = "trap 'echo asked' TERM; (trap '' TERM; sleep 300; echo no) & echo $! > ../pid; wait; sleep 300";
    let Some(mut world) = World::new(script).await else {
        return;
    };
    world.agent(&script.replace("../pid", &world.path("pid").display().to_string()));
    world.options.timeout = Duration::from_millis(400);
    let start = Instant::now();
    let (outcome, log) = world.once("Do it").await;
    assert_eq!(reason(outcome), "the agent took longer than 0 seconds");
    assert!(log.contains("asked\n"), "{log}");
    let took = start.elapsed();
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert!(has_exited(&world.text("pid")).await);
}

#[tokio::test]
async fn background_processes_are_killed_with_the_agent() {
    let Some(mut world) = World::new("").await else {
        return;
    };
    let pid = world.path("pid").display().to_string();
    world.agent(&format!(
        "(trap '' TERM HUP; sleep 300) & echo $! > {pid}; echo x > x"
    ));
    let start = Instant::now();
    let (outcome, log) = world.once("Do it").await;
    assert!(link(&outcome).is_some(), "{log}");
    let took = start.elapsed();
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert!(has_exited(&world.text("pid")).await);
}

#[tokio::test]
async fn processes_outside_the_group_are_killed_too() {
    let Some(mut world) = World::new("").await else {
        return;
    };
    let pid = world.path("pid").display().to_string();
    world.agent(&format!(
        "setsid sh -c 'echo $$ > {pid}; exec sleep 300' < /dev/null > /dev/null 2>&1 &
        while ! [ -s {pid} ]; do sleep 0.05; done; echo x > x"
    ));
    let (outcome, log) = world.once("Do it").await;
    assert!(link(&outcome).is_some(), "{log}");
    assert!(has_exited(&world.text("pid")).await);
}

/// Whether a process has exited, or is a zombie.
async fn has_exited(pid: &str) -> bool {
    let path = format!("/proc/{}/stat", pid.trim());
    for _ in 0..100 {
        match fs::read_to_string(&path) {
            Err(_) => return true,
            Ok(stat) if stat.contains(") Z ") => return true,
            Ok(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
    false
}

#[tokio::test]
async fn excessive_output_is_dropped_and_the_outcome_is_still_logged() {
    let script = "head -c 30000000 /dev/zero | tr '\\0' x; yes | head -c 3000000; echo x > x";
    let Some(mut world) = World::new(script).await else {
        return;
    };
    world.options.max_output_bytes = 100_000;
    let (outcome, log) = world.once("Do it").await;
    assert!(link(&outcome).is_some());
    assert!(log.len() < 102_000, "{}", log.len());
    assert!(log.contains("exceeds the limit of the log"));
    assert!(log.ends_with(&format!("svc: completed: {PULL_REQUEST}\n")));

    world.options.max_output_bytes = usize::MAX;
    let id = world.job("job_2", "Do it").await;
    assert!(link(&world.run().await).is_some());
    let log = world.log(&id).await;
    assert!(
        (MAX_LOG_BYTES - 70_000..MAX_LOG_BYTES).contains(&log.len()),
        "{}",
        log.len()
    );
    assert!(log.ends_with(&format!("svc: completed: {PULL_REQUEST}\n")));
}

#[tokio::test]
async fn binary_output_is_converted_to_text() {
    let Some(world) = World::new("printf 'a\\000b\\377\\n\\033[31mred\\033[0m'").await else {
        return;
    };
    let (_, log) = world.once("Do it").await;
    assert!(log.contains("\na\u{fffd}b\u{fffd}\nred\n"), "{log:?}");
}

#[tokio::test]
async fn a_rejected_push_fails_the_job() {
    let Some(world) = World::new("echo x > x").await else {
        return;
    };
    let hooks = world.bare().join("hooks");
    fs::create_dir_all(&hooks).expect("a folder");
    let hook = world.script("refuse", "echo 'this branch is closed' >&2; exit 1");
    fs::rename(hook, hooks.join("pre-receive")).expect("moved");
    let (outcome, log) = world.once("Do it").await;
    let failure = reason(outcome);
    assert!(failure.starts_with("`git push` failed: "), "{failure}");
    assert!(failure.contains("this branch is closed"), "{failure}");
    assert!(log.contains(&failure), "{log}");
    assert_eq!(world.branches(), ["main"]);
}

#[tokio::test]
async fn a_branch_changed_by_another_client_is_not_overwritten() {
    let Some(mut world) = World::new("").await else {
        return;
    };
    let bare = world.bare().display().to_string();
    world.agent(&format!(
        "echo x > x; git -C {bare} update-ref refs/heads/svc/job-job_1 main"
    ));
    let (outcome, _) = world.once("Do it").await;
    let failure = reason(outcome);
    assert!(failure.contains("stale info"), "{failure}");
}

#[tokio::test]
async fn a_missing_repository_fails_the_job() {
    let Some(world) = World::new("").await else {
        return;
    };
    // A port without a listener.
    let closed_url = format!("http://127.0.0.1:{}/a/b", free_port());
    for (number, (url, expected)) in [
        ("file:///no/such/repository", "`git ls-remote` failed: "),
        (
            "git://127.0.0.1/x",
            "`git://` is neither encrypted nor authenticated",
        ),
        (closed_url.as_str(), "`git ls-remote` failed: "),
    ]
    .into_iter()
    .enumerate()
    {
        let id = world.job_at(url, None, &format!("job_{number}"), "x").await;
        let failure = reason(world.run().await);
        assert!(failure.contains(expected), "{failure}");
        assert!(world.log(&id).await.contains(&failure));
    }
}

#[tokio::test]
async fn an_unknown_project_fails_the_job() {
    let Some(mut world) = World::new("").await else {
        return;
    };
    world.options.projects.clear();
    let (outcome, log) = world.once("Do it").await;
    assert_eq!(
        reason(outcome),
        "this server has no agent for the project `docs`"
    );
    assert!(
        log.contains("svc: failed: this server has no agent"),
        "{log}"
    );
}

#[tokio::test]
async fn a_hook_without_a_pull_request_url_fails_the_job() {
    for (hook, expected) in [
        (
            "cat > /dev/null; echo no address",
            "the hook printed no URL in its first line",
        ),
        (
            "echo why >&2; exit 4",
            "the hook failed (exit status: 4): why",
        ),
        ("sleep 100", "the hook took longer than 1 seconds"),
    ] {
        let Some(mut world) = World::new("echo x > x").await else {
            return;
        };
        let command = vec![world.script("other", hook)];
        let timeout = Duration::from_secs(1);
        let hook = svc_agent::Forge::Hook(svc_agent::Hook { command, timeout });
        world.put(hook, svc_git::Credentials::None);
        let (outcome, _) = world.once("Do it").await;
        let failure = reason(outcome);
        assert_eq!(
            failure,
            format!(
                "the pull request for the branch `svc/job-job_1` could not be opened: {expected}"
            )
        );
        assert_eq!(world.branches(), ["main", "svc/job-job_1"]);
    }
}

#[tokio::test]
async fn a_lost_run_reports_nothing() {
    let Some(world) = World::new("").await else {
        return;
    };
    let id = world.job("job_1", "Do it").await;
    assert_ne!(world.run().await, RunOutcome::Lost);
    let finished = world.store.finish(&id, "other", None).await;
    assert_eq!(finished, Ok(false));
}
