//! Isolation of projects.

use super::world::{World, block_on, request};
use crate::handle;

#[test]
fn a_job_of_another_project_is_the_same_bytes_as_no_job() {
    // spec: admin.job.404 accepts and refuses
    // spec: admin.job.get refuses
    let world = World::new();
    let names = ["one", "two", "three"];
    let keys = names.map(|name| {
        world.project(name);
        world.key(name)
    });
    let mut jobs = Vec::new();
    for (name, key) in names.iter().zip(&keys) {
        for _ in 0..100 {
            let line = format!("POST /v2/agent/{name}/job");
            let (status, job) = world.call_json(key, &line, Some(r#"{"prompt":"x"}"#));
            assert_eq!(status, 201);
            jobs.push((*name, job["id"].as_str().unwrap().to_owned()));
        }
    }
    let send = |key: &str, line: &str| {
        // These responses are not validated against the documents, because there are many.
        let response = block_on(handle(request(key, line, None), &world.context()));
        let (parts, body) = response.into_parts();
        (parts.status.as_u16(), format!("{:?}", parts.headers), body)
    };
    let unknown = send(&keys[0], "GET /v2/agent/one/job/job_0000000000000000000000");
    assert_eq!(unknown.0, 404);
    let mut accessible = 0;
    let mut pairs = 0;
    for (owner, key) in names.iter().zip(&keys) {
        for path in names {
            for (project, job) in &jobs {
                let response = send(key, &format!("GET /v2/agent/{path}/job/{job}"));
                pairs += 1;
                if path == *owner && project == owner {
                    assert_eq!(response.0, 200);
                    accessible += 1;
                } else {
                    assert_eq!(response, unknown, "{owner} requests {job} of {path}");
                }
            }
        }
    }
    assert_eq!((accessible, pairs), (300, 2_700));
    // spec: admin.job.create, admin.job.list refuses
    for (owner, key) in names.iter().zip(&keys) {
        for path in ["one", "two", "three", "none", "%00", "one%2F"] {
            let job = &jobs.iter().find(|(project, _)| project != owner).unwrap().1;
            for line in [
                format!("GET /v2/agent/{path}/jobs"),
                format!("POST /v2/agent/{path}/job/{job}/archive"),
                format!("POST /v2/agent/{path}/job/{job}/message"),
                format!("POST /v2/agent/{path}/job"),
                format!("POST /v1/project/update/{path}"),
                format!("POST /v1/project/preview/{path}"),
            ] {
                let own = path == *owner && !line.contains("/job/");
                let response = send(key, &line);
                assert_eq!(
                    response == unknown,
                    !own && !line.ends_with("message") || path != *owner,
                    "{line}: {response:?}"
                );
            }
        }
    }
}

#[test]
fn a_message_to_a_foreign_job_is_the_same_bytes_too() {
    let world = World::new();
    world.project("one");
    world.project("docs");
    let (one, docs) = (world.key("one"), world.key("docs"));
    let job = world.job(&docs);
    let body = Some(r#"{"prompt":"x"}"#);
    let post = |job: &str| {
        let line = format!("POST /v2/agent/one/job/{job}/message");
        world.call(&one, &line, body).into_body()
    };
    assert_eq!(post(&job), post("job_none"));
    let lists = world.call_json(&one, "GET /v2/agent/one/jobs", None).1;
    assert_eq!(lists["jobs"].as_array().unwrap().len(), 0);
}

#[test]
fn invalid_ids_are_not_found() {
    let (world, key) = World::with_docs();
    for name in [
        "%00",
        "%2e%2e",
        "a%20b",
        "%C3%A4",
        "%F0%9F%99%82",
        "a'--",
        &"x".repeat(65),
    ] {
        let (status, _) = world.call_json(&key, &format!("GET /v2/agent/docs/job/{name}"), None);
        assert_eq!(status, 404, "{name}");
        // spec: admin.deploy.status refuses
        let (status, _) =
            world.call_json(&key, &format!("GET /v1/project/update-status/{name}"), None);
        assert_eq!(status, 404, "{name}");
    }
}
