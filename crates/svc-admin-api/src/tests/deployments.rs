//! The Deployment API.

use serde_json::json;

use super::world::World;
use crate::DeployError;

const UPDATE: &str = "POST /v1/project/update/docs";
const PREVIEW: &str = "POST /v1/project/preview/docs";

#[test]
fn a_deployment_is_triggered_and_has_a_status() {
    // spec: admin.deploy.update, admin.deploy.status accepts
    let (world, key) = World::with_docs();
    let (status, body) = world.call_json(&key, UPDATE, None);
    assert_eq!((status, body), (202, json!({"statusId": "deployment-0"})));
    let line = "GET /v1/project/update-status/deployment-0";
    let (status, body) = world.call_json(&key, line, None);
    assert_eq!(status, 200);
    assert_eq!(
        (&body["_id"], &body["status"]),
        (&json!("deployment-0"), &json!("queued"))
    );
    assert_eq!(
        (&body["projectId"], &body["source"]),
        (&json!("docs"), &json!("api"))
    );
}

#[test]
fn a_preview_is_triggered_and_has_a_url() {
    // spec: admin.deploy.preview accepts
    let (world, key) = World::with_docs();
    let (status, body) = world.call_json(&key, PREVIEW, Some(r#"{"branch":"feature/a"}"#));
    let expected_result = json!({
        "statusId": "deployment-0",
        "previewUrl": "https://docs.example/feature/a",
    });
    assert_eq!((status, body), (202, expected_result));
}

#[test]
fn a_deployment_of_another_project_is_the_same_bytes_as_none() {
    let (world, key) = World::with_docs();
    world.project("other");
    let other = world.key("other");
    assert_eq!(world.call_json(&key, UPDATE, None).0, 202);
    let get_status = |id: &str| {
        let line = format!("GET /v1/project/update-status/{id}");
        world.call(&other, &line, None).into_body()
    };
    assert_eq!(get_status("deployment-0"), get_status("deployment-9"));
    // spec: admin.deploy.update refuses
    assert_eq!(world.call_json(&other, UPDATE, None).0, 404);
    assert_eq!(world.sites.made.lock().unwrap().len(), 1);
}

#[test]
fn errors_of_deployments_are_mapped_to_responses() {
    let (world, key) = World::with_docs();
    for (fault, expected_result, message) in [
        (DeployError::UnknownProject, 404, "not found"),
        (
            DeployError::Rejected("a folder has no branches".to_owned()),
            409,
            "no branches",
        ),
        (
            DeployError::Unavailable("/srv/data: EIO".to_owned()),
            503,
            "try again",
        ),
    ] {
        *world.sites.fault.lock().unwrap() = Some(fault);
        let (status, body) = world.call_json(&key, PREVIEW, Some(r#"{"branch":"a"}"#));
        assert_eq!(status, expected_result);
        let error = body["error"].as_str().unwrap();
        assert!(error.contains(message) && !error.contains("srv"), "{error}");
    }
}
