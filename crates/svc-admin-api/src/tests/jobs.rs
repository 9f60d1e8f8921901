//! Operations on jobs.

use std::time::Duration;

use serde_json::{Value, json};

use super::world::{World, block_on};
use crate::agent_job::{AgentJob, JobStore as _, Status};
use crate::{JobId, ProjectId};

const CREATE: &str = "POST /v2/agent/docs/job";
const PROMPT: Option<&str> = Some(r#"{"prompt":"more"}"#);

fn id(text: &str) -> JobId {
    JobId::parse(text).unwrap()
}

#[test]
fn a_new_job_is_active_and_has_all_fields() {
    // spec: admin.job.create, admin.job.id, admin.job.model, admin.job.created-at accepts
    let (world, key) = World::with_docs();
    let response = world.call(&key, CREATE, Some(r#"{"prompt":"x","ref":"feature/a"}"#));
    assert_eq!(response.status(), 201);
    let job: Value = serde_json::from_slice(response.body()).unwrap();
    let name = job["id"].as_str().unwrap();
    assert!(name.starts_with("job_") && name.len() == 26, "{name}");
    assert_eq!(response.headers()["location"], format!("job/{name}"));
    let expected_result = json!({
        "id": name,
        "status": "active",
        "source": {"repository": "https://git.example/docs.git", "ref": "feature/a"},
        "model": "small",
        "prLink": null,
        "createdAt": "2026-11-21T00:00:00.000Z",
        "archivedAt": null,
        "error": null,
    });
    assert_eq!(job, expected_result);
    // The fields have the order of the specification.
    let order: Vec<&String> = job.as_object().unwrap().keys().collect();
    let ours = [
        "id",
        "status",
        "source",
        "model",
        "prLink",
        "createdAt",
        "archivedAt",
        "error",
    ];
    assert_eq!(order, ours);
    // spec: admin.job.get accepts
    assert_eq!(
        world.call_json(&key, &format!("GET /v2/agent/docs/job/{name}"), None),
        (200, expected_result)
    );
    let read: AgentJob = serde_json::from_value(job.clone()).unwrap();
    assert_eq!((read.status, read.id), (Status::Active, id(name)));
}

#[test]
fn an_active_job_can_be_canceled_and_has_an_error() {
    let (world, key) = World::with_docs();
    let name = world.job(&key);
    let cancel = format!("POST /v2/agent/docs/job/{name}/cancel");
    let (status, job) = world.call_json(&key, &cancel, None);
    assert_eq!((status, &job["status"]), (200, &json!("failed")));
    assert_eq!(job["error"], "the job was canceled");
    let (status, refused) = world.call_json(&key, &cancel, None);
    assert_eq!(status, 409);
    let reason = "the job is failed; only an active job can be canceled";
    assert_eq!(refused["error"], reason);
    // Other failures have a reason too, archived jobs do not.
    let name = world.job(&key);
    let lease = world.lease("w");
    block_on(world.store.claim(&lease, world.now())).unwrap();
    assert!(block_on(world.store.fail(&id(&name), "w", "no branch `x`")).unwrap());
    let line = format!("GET /v2/agent/docs/job/{name}");
    assert_eq!(
        world.call_json(&key, &line, None).1["error"],
        "no branch `x`"
    );
    let archive = format!("POST /v2/agent/docs/job/{name}/archive");
    assert_eq!(
        world.call_json(&key, &archive, None).1["error"],
        Value::Null
    );
    let strange = "POST /v2/agent/docs/job/job_none/cancel";
    assert_eq!(world.call_json(&key, strange, None).0, 404);
}

#[test]
fn the_branch_defaults_to_that_of_the_project() {
    let (world, key) = World::with_docs();
    for (body, branch) in [
        (r#"{"prompt":"x"}"#, "main"),
        (r#"{"prompt":"x","ref":null}"#, "main"),
        (r#"{"prompt":"x","ref":"next"}"#, "next"),
    ] {
        let (_, job) = world.call_json(&key, CREATE, Some(body));
        assert_eq!(job["source"]["ref"], branch);
    }
}

#[test]
fn pull_requests_are_hidden_while_the_job_is_active() {
    // spec: admin.job.pr-link, admin.job.finish, admin.job.reopen, admin.job.message accepts
    let (world, key) = World::with_docs();
    let name = world.job(&key);
    let line = format!("GET /v2/agent/docs/job/{name}");
    let message = format!("POST /v2/agent/docs/job/{name}/message");
    let archive = format!("POST /v2/agent/docs/job/{name}/archive");
    let shown = || {
        let job = world.call_json(&key, &line, None).1;
        (
            job["status"].clone(),
            job["prLink"].clone(),
            job["archivedAt"].clone(),
        )
    };
    assert_eq!(shown(), (json!("active"), Value::Null, Value::Null));
    world.finish_job(None);
    assert_eq!(shown(), (json!("completed"), Value::Null, Value::Null));
    // A second turn with a pull request, and a third one without.
    let link = "https://git.example/docs/pull/1";
    for pull_request in [Some(link), None] {
        let (status, job) = world.call_json(&key, &message, PROMPT);
        assert_eq!(
            (status, &job["status"], &job["prLink"]),
            (200, &json!("active"), &Value::Null)
        );
        assert_eq!(shown(), (json!("active"), Value::Null, Value::Null));
        world.finish_job(pull_request);
        assert_eq!(shown(), (json!("completed"), json!(link), Value::Null));
    }
    // spec: admin.job.archive, admin.job.archived-at, admin.job.archive.post accepts
    world.pass(Duration::from_secs(3600));
    let (status, job) = world.call_json(&key, &archive, None);
    assert_eq!((status, &job["status"]), (200, &json!("archived")));
    let at = json!("2026-11-21T01:00:00.000Z");
    assert_eq!(shown(), (json!("archived"), json!(link), at.clone()));
    world.pass(Duration::from_secs(3600));
    // spec: admin.job.archive, admin.job.archive.post, admin.job.archived-at refuses
    assert_eq!(world.call_json(&key, &archive, None).0, 409);
    assert_eq!(shown().2, at, "a refused call changes nothing");
    let prompts = block_on(world.store.prompts(&id(&name))).unwrap();
    let prompts: Vec<&str> = prompts.iter().map(|prompt| prompt.as_str()).collect();
    assert_eq!(prompts, ["x", "more", "more"]);
}

#[test]
fn calls_in_the_wrong_state_are_rejected_without_effect() {
    // spec: admin.status.409, admin.job.fail accepts
    // spec: admin.job.reopen, admin.job.message, admin.job.finish, admin.job.fail refuses
    let (world, key) = World::with_docs();
    let active = world.job(&key);
    world.pass(Duration::from_millis(1));
    for (state, message, archive) in [
        ("active", 409, 409),
        ("failed", 409, 200),
        ("archived", 409, 409),
    ] {
        if state == "failed" {
            assert_eq!(world.fail_job(), active);
        }
        let line = format!("POST /v2/agent/docs/job/{active}");
        let got = world.call_json(&key, &line.replace("POST", "GET"), None).1;
        assert_eq!(got["status"], state);
        assert_eq!(
            world.call_json(&key, &format!("{line}/message"), PROMPT).0,
            message,
            "{state}"
        );
        assert_eq!(
            world.call_json(&key, &format!("{line}/archive"), None).0,
            archive,
            "{state}"
        );
    }
    let prompts = block_on(world.store.prompts(&id(&active))).unwrap();
    assert_eq!(prompts.len(), 1);
    // The old worker has lost its lease.
    let active = id(&active);
    let late = world.store.finish(&active, "worker", None);
    assert!(!block_on(late).unwrap());
    let late = world.store.fail(&active, "worker", "no");
    assert!(!block_on(late).unwrap());
}

#[test]
fn a_project_without_a_repository_has_no_jobs() {
    use crate::project::ProjectStore as _;
    let (world, key) = World::with_docs();
    let docs = ProjectId::parse("docs").unwrap();
    let mut project = block_on(world.store.project(&docs)).unwrap().unwrap();
    project.agent = None;
    let change = crate::Change::new(&super::world::CLI, world.now(), &docs, "putProject", None);
    block_on(world.store.put_project(&project, &change)).unwrap();
    let (status, body) = world.call_json(&key, CREATE, PROMPT);
    assert_eq!(status, 409, "{body}");
}

#[test]
fn a_lost_worker_is_replaced_once_and_only_the_new_one_counts() {
    let (world, key) = World::with_docs();
    let name = id(&world.job(&key));
    let claim = |token: &str| block_on(world.store.claim(&world.lease(token), world.now()));
    assert_eq!(claim("first").unwrap().unwrap().id, name);
    assert!(claim("second").unwrap().is_none(), "one worker at a time");
    assert!(block_on(world.store.append_log(&name, "first", "ä\n")).unwrap());
    world.pass(Duration::from_secs(30));
    assert!(block_on(world.store.renew(&name, &world.lease("first"))).unwrap());
    world.pass(Duration::from_secs(59));
    assert!(
        claim("second").unwrap().is_none(),
        "the lease was prolonged"
    );
    world.pass(Duration::from_secs(1));
    assert_eq!(claim("second").unwrap().unwrap().id, name);
    for late in [
        block_on(world.store.renew(&name, &world.lease("first"))),
        block_on(world.store.append_log(&name, "first", "lost")),
        block_on(world.store.finish(&name, "first", None)),
        block_on(world.store.fail(&name, "first", "x")),
    ] {
        assert_eq!(late, Ok(false));
    }
    assert_eq!(
        block_on(world.store.fail_abandoned(world.now())),
        Ok(0),
        "the second is at work"
    );
    world.pass(Duration::from_secs(60));
    assert!(claim("third").unwrap().is_none(), "twice is enough");
    assert_eq!(block_on(world.store.fail_abandoned(world.now())), Ok(1));
    let (_, job) = world.call_json(&key, &format!("GET /v2/agent/docs/job/{name}"), None);
    assert_eq!(job["status"], "failed");
    let docs = ProjectId::parse("docs").unwrap();
    let log = block_on(world.store.log(&docs, &name, 0)).unwrap().unwrap();
    assert_eq!((log.text.as_str(), log.next), ("ä\n", 3));
    let middle = block_on(world.store.log(&docs, &name, 1)).unwrap().unwrap();
    assert_eq!(middle.text, "ä\n", "a place within a letter is the letter");
    let past = block_on(world.store.log(&docs, &name, 99))
        .unwrap()
        .unwrap();
    assert_eq!((past.text.as_str(), past.next), ("", 3));
}

#[test]
fn logs_are_limited() {
    use crate::agent_job::MAX_LOG_BYTES;
    let (world, key) = World::with_docs();
    let name = id(&world.job(&key));
    block_on(world.store.claim(&world.lease("w"), world.now())).unwrap();
    for _ in 0..3 {
        let text = "ä".repeat(MAX_LOG_BYTES / 4 + 1);
        assert!(block_on(world.store.append_log(&name, "w", &text)).unwrap());
    }
    let docs = ProjectId::parse("docs").unwrap();
    let log = block_on(world.store.log(&docs, &name, 0)).unwrap().unwrap();
    assert!(log.text.len() <= MAX_LOG_BYTES && log.text.len() > MAX_LOG_BYTES - 2);
}

#[test]
fn old_finished_jobs_are_archived() {
    let (world, key) = World::with_docs();
    let jobs: Vec<String> = (0..4)
        .map(|_| {
            world.pass(Duration::from_secs(1));
            world.job(&key)
        })
        .collect();
    assert_eq!([world.finish_job(None), world.fail_job()], jobs[..2]);
    world.pass(Duration::from_secs(60));
    let archived = world.store.archive_before(world.now(), world.now());
    assert_eq!(block_on(archived), Ok(2));
    let (_, list) = world.call_json(&key, "GET /v2/agent/docs/jobs?status=archived", None);
    let names: Vec<&Value> = list["jobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|job| &job["id"])
        .collect();
    assert_eq!(names, [&jobs[1], &jobs[0]]);
    assert_eq!(list["jobs"][0]["archivedAt"], "2026-11-21T00:01:04.000Z");
    let repeated = world.store.archive_before(world.now(), world.now());
    assert_eq!(block_on(repeated), Ok(0));
}
