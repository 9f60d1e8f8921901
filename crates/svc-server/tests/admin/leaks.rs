//! Jobs and deployments of other projects are indistinguishable from missing ones.

use super::rig::{Client, Harness};

const PROJECTS: [&str; 3] = ["alpha", "beta", "gamma"];
const JOBS: usize = 100;

#[test]
fn a_job_of_another_project_looks_like_a_missing_job() {
    let rig = Harness::new();
    let mut client = Client::new(rig.url());
    let mut keys = Vec::new();
    let mut jobs = Vec::new();
    for project in PROJECTS {
        rig.project(project);
        let key = rig.key(project);
        for _ in 0..JOBS {
            let line = format!("POST /v2/agent/{project}/job");
            let result = client.call(&key, &line, r#"{"prompt":"secret words"}"#);
            assert_eq!(result.status, 201);
            let id = result.json()["id"].as_str().unwrap().to_owned();
            jobs.push((project, id));
        }
        keys.push((project, key));
    }
    let unknown = client.call(&keys[0].1, "GET /v2/agent/alpha/job/job_none", "");
    assert_eq!(unknown.status, 404);
    let (mut local, mut foreign) = (0, 0);
    for (project, key) in &keys {
        for (owner, id) in &jobs {
            // With the project ID of the owner, and with that of the key.
            for name in [owner, project] {
                let response = client.call(key, &format!("GET /v2/agent/{name}/job/{id}"), "");
                if owner == project {
                    assert_eq!(response.status, 200);
                    local += 1;
                } else {
                    let known = (&response.headers, &response.body);
                    assert_eq!(known, (&unknown.headers, &unknown.body), "{project} {id}");
                    foreign += 1;
                }
            }
        }
    }
    assert_eq!((local, foreign), (600, 1200));
}

#[test]
fn jobs_and_deployments_of_other_projects_are_inaccessible() {
    let rig = Harness::new();
    rig.project("alpha");
    rig.project("beta");
    let (alpha, beta) = (rig.key("alpha"), rig.key("beta"));
    let response = rig.call(&beta, "POST /v2/agent/beta/job", r#"{"prompt":"x"}"#);
    let id = response.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(
        rig.call(&beta, "POST /v1/project/update/beta", "").status,
        202
    );
    let path_of = |of: &str, id: &str, name: &str| format!("/v2/agent/{of}/job/{id}{name}");
    let prompt = r#"{"prompt":"y"}"#;
    for (foreign, unknown, body) in [
        (
            path_of("beta", &id, "/message"),
            path_of("beta", "none", "/message"),
            prompt,
        ),
        (
            path_of("alpha", &id, "/message"),
            path_of("alpha", "none", "/message"),
            prompt,
        ),
        (
            path_of("beta", &id, "/cancel"),
            path_of("none", &id, "/cancel"),
            "",
        ),
        (
            path_of("beta", &id, "/archive"),
            path_of("none", &id, "/archive"),
            "",
        ),
        (
            "/v2/agent/beta/job".to_owned(),
            "/v2/agent/none/job".to_owned(),
            prompt,
        ),
        (
            "/v1/project/update/beta".to_owned(),
            "/v1/project/update/none".to_owned(),
            "",
        ),
        (
            "/v1/project/preview/beta".to_owned(),
            "/v1/project/preview/none".to_owned(),
            r#"{"branch":"b"}"#,
        ),
    ] {
        let foreign = rig.call(&alpha, &format!("POST {foreign}"), body);
        let unknown = rig.call(&alpha, &format!("POST {unknown}"), body);
        assert_eq!(foreign.status, 404, "{foreign:?}");
        assert_eq!(
            (foreign.headers, foreign.body),
            (unknown.headers, unknown.body)
        );
    }
    for path in [
        "/v2/agent/beta/jobs",
        "/v1/project/update-status/deployment-0",
    ] {
        let foreign = rig.call(&alpha, &format!("GET {path}"), "");
        let unknown = rig.call(&alpha, "GET /v1/project/update-status/none", "");
        assert_eq!(
            (foreign.status, foreign.body),
            (404, unknown.body),
            "{path}"
        );
    }
    let still = rig.call(&beta, &format!("GET {}", path_of("beta", &id, "")), "");
    assert_eq!(still.json()["status"], "active");
}
