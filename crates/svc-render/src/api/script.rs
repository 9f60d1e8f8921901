//! JavaScript module that generates requests in the browser, and its table of languages. Pages load
//! them when the playground is opened.

use std::sync::OnceLock;

use svc_openapi::request;

use crate::assets::asset::{ProgramAsset, data, script};
use crate::islands::compile::shorten;

/// The module; see [`request::script`] for its exports.
pub(crate) fn asset() -> &'static ProgramAsset {
    static ASSET: OnceLock<ProgramAsset> = OnceLock::new();
    ASSET.get_or_init(|| script("call", shorten(&request::script())))
}

/// The table of languages for the module, as JSON.
pub(crate) fn languages() -> &'static ProgramAsset {
    static ASSET: OnceLock<ProgramAsset> = OnceLock::new();
    ASSET.get_or_init(|| data("languages", &request::languages()))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};
    use rquickjs::{Context, Function, Module, Runtime};
    use svc_openapi::request::{self, Inputs, Scope};
    use svc_openapi::{PlaygroundOptions, playground_spec};

    fn packed(text: &str) -> usize {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(text.as_bytes()).expect("a Vec takes all");
        gzip.finish().expect("a Vec takes all").len()
    }

    #[test]
    fn the_size_of_the_playground_is_bounded() {
        let [module, languages] =
            [super::asset(), super::languages()].map(|asset| packed(asset.text()));
        assert!(module <= 9 << 10, "{module}");
        assert!(languages <= 5 << 10, "{languages}");
    }

    /// Runs a module with arguments and returns its result as JSON.
    fn run(source: &str, arguments: &str) -> String {
        let tools = "export const run = (given) => { const [call, inputs, languages, rows] = JSON.parse(given); const made = request(call, inputs); return JSON.stringify([made, bodyText(made.content), languages.map((one) => sample(one, made)), rows.map(([at, value]) => problems(call, at, value)), serialize('a', [1, { b: 'é' }], 'deepObject', true, '')]); };";
        let runtime = Runtime::new().expect("an engine starts");
        let context = Context::full(&runtime).expect("it has a context");
        context.with(|ctx| {
            let declared = Module::declare(ctx.clone(), "call", format!("{source}\n{tools}"));
            let (module, promise) = declared.expect("it is a module").eval().expect("it runs");
            promise.finish::<()>().expect("it ends");
            let run: Function<'_> = module.get("run").expect("it is there");
            let json: String = run.call((arguments,)).expect("it gives text");
            json
        })
    }

    const DOCUMENT: &str = r#"{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h.test"}],
        "security": [{"b": []}], "components": {"securitySchemes": {"b": {"type": "http", "scheme": "basic"}}},
        "paths": {"/a/{id}": {"post": {
            "parameters": [{"name": "id", "in": "path", "schema": {"type": "string"}}, {"name": "q", "in": "query", "style": "deepObject", "schema": {"type": "object", "properties": {"x": {"type": "array", "items": {"type": "integer"}}}}}, {"name": "c", "in": "cookie", "schema": {"type": "string"}}],
            "requestBody": {"content": {
                "application/json": {"schema": {"type": "object", "required": ["name", "gone"], "properties": {"name": {"type": "string", "maxLength": 3, "pattern": "^[a-z]+$"}, "kind": {"oneOf": [{"type": "string", "format": "date"}, {"type": "integer", "multipleOf": 2}]}}, "additionalProperties": false}},
                "multipart/form-data": {"schema": {"type": "object", "properties": {"f": {"type": "string", "format": "binary"}, "t": {"type": "string"}}}},
                "application/xml": {"schema": {"type": "object", "xml": {"name": "top"}, "properties": {"a": {"type": "array", "xml": {"wrapped": true}, "items": {"type": "string"}}, "b": {"type": "string", "xml": {"attribute": true}}}}}}},
            "responses": {"200": {"description": "ok"}}}}}}"#;

    #[test]
    fn minified_names_do_not_change_results() {
        let file = svc_diagnostics::SourceFile::new("a.json", DOCUMENT);
        let document = svc_openapi::parse(&file).value.expect("it is a document");
        let operation = document.operations.first().expect("it has one");
        let spec = playground_spec(&document, operation, &PlaygroundOptions::default());
        let usual = Inputs::examples(&document, operation, Scope::All);
        let languages: Vec<_> = request::languages()
            .as_object()
            .expect("a table")
            .values()
            .cloned()
            .collect();
        for kind in [
            "application/json",
            "multipart/form-data",
            "application/xml",
            "text/plain",
        ] {
            let value = serde_json::json!({"name": "Abcd\n\"x\"", "kind": 3, "more": 1.5, "f": "", "t": "é", "a": ["x<y"], "b": true});
            let inputs = serde_json::json!({"server": usual.server, "parameters": {"path:id": "x y", "query:q": {"x": [1]}, "cookie:c": "a"}, "body": {"type": kind, "value": value}, "credentials": {"b": {"username": "u", "password": "p"}}});
            let rows: Vec<_> = (0..spec["schemas"].as_array().map_or(0, Vec::len))
                .map(|at| serde_json::json!([at, value]))
                .collect();
            let arguments = serde_json::json!([spec, inputs, languages, rows]).to_string();
            let long = run(&request::script(), &arguments);
            assert_eq!(run(super::asset().text(), &arguments), long, "{kind}");
            assert!(long.len() > 10_000, "{long}");
        }
    }
}
