//! Resources of API pages below `/_svc/api`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use svc_nav::{OperationRef, Route};
use svc_render::Endpoint;

use crate::{CompressedBytes, Resource, Site};

/// URL path prefix of these resources.
const API_PREFIX: &str = "/_svc/api";
/// Suffix that follows the path of a page in the path of its playground spec.
const SPEC_SUFFIX: &str = "/call.json";

/// URL path of the playground spec of a page.
pub(crate) fn playground_spec_path(page: &str) -> String {
    let page = if page == "/" { "" } else { page };
    format!("{API_PREFIX}{page}{SPEC_SUFFIX}")
}

impl Site {
    /// The resource at a path below `/_svc/api`.
    pub(crate) fn api_resource(&self, path: &str) -> Option<Resource<'_>> {
        if let Some(part) = self.schema_fragment(path) {
            return Some(Resource::SchemaFragment(part));
        }
        let page = path.strip_prefix(API_PREFIX)?.strip_suffix(SPEC_SUFFIX)?;
        let route = self.open_route(if page.is_empty() { "/" } else { page })?;
        self.has_endpoint(route)
            .then_some(Resource::PlaygroundSpec(route))
    }

    /// Whether the page of a route documents an endpoint that the playground can call.
    pub(crate) fn has_endpoint(&self, route: &Route) -> bool {
        match &route.operation {
            Some(operation) => matches!(operation, OperationRef::Operation { .. }),
            None => {
                let page = self.page_of(route);
                page.is_some_and(|page| page.front_matter.api.is_some())
            }
        }
    }

    /// The endpoint that the page of a route documents: an operation of an OpenAPI document, or the
    /// `api` key of the page's front matter. `None` for other pages.
    pub fn endpoint<'a>(&'a self, route: &'a Route) -> Option<Endpoint<'a>> {
        let cx = self.context();
        svc_render::endpoint_of(&cx, route, || {
            Arc::clone(&self.render_article(route).article)
        })
    }

    /// The JSON that the playground needs to call the endpoint of a route's page. `None` when the
    /// page has no endpoint or the spec cannot be built.
    pub fn playground_spec(&self, route: &Route) -> Option<String> {
        let make = || svc_render::playground_spec(&self.context(), &self.endpoint(route)?);
        // A panic on an unusual document must not end the server.
        catch_unwind(AssertUnwindSafe(make)).unwrap_or(None)
    }

    /// The playground spec of a route's page with its compressed forms, cached in memory.
    pub fn cached_playground_spec(&self, route: &Route) -> Option<Arc<CompressedBytes>> {
        let make = || {
            Some(CompressedBytes::new(
                self.playground_spec(route)?.into_bytes(),
            ))
        };
        self.playground_specs
            .get_or_make(&route.path, make, |call| call.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use svc_source::SourceTree;

    use crate::{ExportOptions, LoadOptions, Resource, Site, assemble, export};

    const CONFIG: &str = r##"{"theme": "svc", "name": "Acme", "colors": {"primary": "#0a7d4f"},
        "api": {"mdx": {"server": "https://api.test/v1", "auth": {"method": "key", "name": "X-Token"}}, "examples": {"languages": ["curl", "bash", "nonsense", "go"]}},
        "navigation": {"groups": [
            {"group": "By hand", "pages": ["index", "upload", "whole"]},
            {"group": "API", "openapi": "pets.json"}]}}"##;
    const PETS: &str = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test"}],
        "paths": {"/pets/{id}": {"get": {"tags": ["pets"], "summary": "Get a pet", "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}], "responses": {"200": {"description": "ok"}}}}},
        "webhooks": {"fed": {"post": {"responses": {"200": {"description": "ok"}}}}}}"#;
    const INDEX: &str = r#"---
title: Make
api: POST /things/{thing}
---
<ParamField path="thing" type="string" required>Which *one*.</ParamField>
<ParamField query="limit" type="integer" default="10" enum={[10, 20]} deprecated />
<ParamField header="X-Trace" placeholder="abc" />
<ParamField body="user" type="object" required>
  Who it is.
  <Expandable title="parts">
    <ParamField body="name" type="string" initialValue="Ada" required>Full name.</ParamField>
    <ResponseField name="tags" type="string[]" />
  </Expandable>
</ParamField>
<ResponseField name="id" type="string">Not sent.</ResponseField>
"#;

    fn site() -> Site {
        let files = [
            ("docs.json", CONFIG),
            ("pets.json", PETS),
            ("index.mdx", INDEX),
            (
                "upload.mdx",
                "---\ntitle: Send\napi: PUT /files\nauthMethod: none\n---\n<ParamField body=\"photo\" type=\"file\" />\n",
            ),
            (
                "whole.mdx",
                "---\ntitle: Whole\napi: GET https://other.test/a\nauthMethod: bearer\n---\nText.\n",
            ),
            ("words.mdx", "---\ntitle: Words\n---\nText.\n"),
        ];
        let tree = SourceTree::from_files(files);
        assemble(tree, &LoadOptions::default()).unwrap().value
    }

    fn call(site: &Site, page: &str) -> Value {
        let Resource::PlaygroundSpec(route) = site.find(&super::playground_spec_path(page)) else {
            panic!("{page} has no call");
        };
        serde_json::from_str(&site.playground_spec(route).expect("it can be made")).unwrap()
    }

    fn row(call: &Value, index: &Value) -> Value {
        let index = usize::try_from(index.as_u64().unwrap()).unwrap();
        call["schemas"][index].clone()
    }

    #[test]
    fn an_operation_of_a_document_has_a_playground_spec() {
        let site = site();
        let page = site
            .map
            .routes
            .keys()
            .find(|path| path.contains("get-a-pet"));
        let spec = call(&site, page.expect("it has a page"));
        assert_eq!(spec["method"], "GET");
        assert_eq!(spec["servers"][0]["url"], "https://pets.test");
        assert_eq!(spec["parameters"][0]["name"], "id");
        assert_eq!(spec["languages"], json!(["bash", "go"]));
    }

    #[test]
    fn an_endpoint_in_front_matter_has_a_playground_spec() {
        let spec = call(&site(), "/");
        assert_eq!(spec["method"], "POST");
        assert_eq!(spec["path"], "/things/{thing}");
        assert_eq!(spec["servers"][0]["url"], "https://api.test/v1");
        let parameters = spec["parameters"].as_array().unwrap();
        let locations: Vec<String> = parameters
            .iter()
            .map(|p| format!("{} {}", p["in"], p["name"]).replace('"', ""))
            .collect();
        assert_eq!(locations, ["path thing", "query limit", "header X-Trace"]);
        assert_eq!(parameters[0]["description"], "Which one.");
        assert_eq!(parameters[0]["required"], true);
        assert_eq!(parameters[1]["deprecated"], true);
        assert_eq!(
            row(&spec, &parameters[1]["schema"]),
            json!({"type": ["integer"], "enum": [10, 20], "default": 10})
        );
        assert_eq!(parameters[2]["placeholder"], "abc");
        let content = &spec["body"]["content"][0];
        assert_eq!(spec["body"]["required"], true);
        assert_eq!(content["type"], "application/json");
        assert_eq!(content["value"], json!({"user": {"name": "Ada"}}));
        let body = row(&spec, &content["schema"]);
        assert_eq!(body["required"], json!(["user"]));
        let user = row(&spec, &body["properties"]["user"]);
        assert_eq!(user["required"], json!(["name"]));
        assert_eq!(user["description"], "Who it is. parts");
        let name = row(&spec, &user["properties"]["name"]);
        assert_eq!(name["description"], "Full name.");
        let tags = row(&spec, &user["properties"]["tags"]);
        assert_eq!(row(&spec, &tags["items"]), json!({"type": ["string"]}));
        assert_eq!(
            spec["security"],
            json!([[{"name": "auth", "type": "apiKey", "in": "header", "parameter": "X-Token"}]])
        );
    }

    #[test]
    fn front_matter_sets_server_and_security() {
        let site = site();
        let upload = call(&site, "/upload");
        assert_eq!(upload["security"], json!([]));
        let content = &upload["body"]["content"][0];
        assert_eq!(content["type"], "multipart/form-data");
        let response = call(&site, "/whole");
        assert_eq!(response["servers"][0]["url"], "https://other.test");
        assert_eq!(response["path"], "/a");
        assert_eq!(response["security"][0][0]["scheme"], "bearer");
    }

    #[test]
    fn pages_without_an_operation_have_no_playground_spec() {
        let site = site();
        let webhook = site.map.routes.keys().find(|path| path.contains("fed"));
        for page in ["/words", "/nowhere", webhook.expect("it has a page")] {
            let resource = site.find(&super::playground_spec_path(page));
            assert!(matches!(resource, Resource::NotFound), "{page}");
        }
    }

    #[test]
    fn an_export_contains_the_playground_specs() {
        let (site, out) = (site(), tempfile::tempdir().unwrap());
        export(&site, out.path(), &ExportOptions::default()).unwrap();
        let read = |path: &str| std::fs::read_to_string(out.path().join(path)).unwrap();
        let Resource::PlaygroundSpec(route) = site.find("/_svc/api/call.json") else {
            panic!("the first page has a call");
        };
        assert_eq!(
            Some(read("_svc/api/call.json")),
            site.playground_spec(route)
        );
        assert!(read("_svc/api/upload/call.json").contains("multipart/form-data"));
        assert!(!out.path().join("_svc/api/words/call.json").exists());
    }
}
