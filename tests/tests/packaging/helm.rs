//! The Helm chart, rendered by Helm (as a Python library) and validated with the schemas of
//! Kubernetes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use svc_diagnostics::SourceFile;
use svc_server::{Settings, SettingsEnvironment};
use svc_tests::{sites, tools};

/// Rendered files by name, and problems.
struct Chart {
    files: BTreeMap<String, String>,
    problems: Vec<String>,
}

/// Renders the chart; `None` if Helm is missing.
fn render(values: &Value) -> Option<Chart> {
    let output = Command::new(tools::python("python-helm")?)
        .arg(sites::workspace().join("tests/python/helm/render.py"))
        .arg(super::path("helm/svc"))
        .arg(values.to_string())
        .output()
        .expect("it starts");
    let messages = String::from_utf8_lossy(&output.stderr);
    let result: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {messages}"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let files = result["files"].as_object().expect("an object").iter();
    let problems = result["problems"].as_array().expect("an array").iter();
    Some(Chart {
        files: files
            .map(|(name, file)| (name.clone(), text(file)))
            .collect(),
        problems: problems.map(text).collect(),
    })
}

fn with_postgresql() -> Value {
    json!({
        "image": {"repository": "registry.example.com/svc-server", "tag": "1.2.3"},
        "imagePullSecrets": [{"name": "registry"}],
        "store": {"kind": "postgresql", "existingSecret": "database"},
        "objects": {"url": "s3://svc-docs/production", "endpoint": "https://minio.internal:9000",
            "region": "eu-central-1", "access_key": "AKIAIOSFODNN7EXAMPLE"},
        "objectsSecret": "docs-objects",
        "replicas": 2,
        "server": {"trusted_proxies": ["10.0.0.0/8"], "keep": 3},
        "settings": "[[projects]]\nid = \"docs\"\nhosts = [\"docs.example.com\"]\n\n[projects.source]\ngit = \"https://git.example.com/docs.git\"\ntoken_env = \"TOKEN\"\n",
        "envFromSecret": "docs-secrets",
        "extraVolumes": [{"name": "tls", "secret": {"secretName": "tls"}}],
        "extraVolumeMounts": [{"name": "tls", "mountPath": "/etc/svc-tls", "readOnly": true}],
        "admin": {"enabled": true, "origin": "https://admin.example.com"},
        "service": {"type": "LoadBalancer", "annotations": {"a": "b"}},
        "ingress": {"enabled": true, "className": "nginx", "hosts": ["docs.example.com"],
            "adminHost": "admin.example.com", "tlsSecret": "certificate"},
        "podAnnotations": {"c": "d"},
        "nodeSelector": {"kubernetes.io/arch": "arm64"},
        "tolerations": [{"key": "docs", "operator": "Exists"}],
        "affinity": {"nodeAffinity": {}}
    })
}

/// Compares with the files of `tests/fixtures/helm`, or writes them if `SVC_GOLDEN` is `write`.
fn compare(dir: &Path, files: &BTreeMap<String, String>) {
    if std::env::var("SVC_GOLDEN").is_ok_and(|value| value == "write") {
        let _ = fs::remove_dir_all(dir);
        fs::create_dir_all(dir).expect("it can be created");
        for (name, text) in files {
            fs::write(dir.join(name), text).expect("it can be written");
        }
    }
    let names: Vec<PathBuf> = files.keys().map(|name| dir.join(name)).collect();
    let entries = fs::read_dir(dir).expect("it can be listed");
    let mut expected: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    expected.sort();
    assert_eq!(names, expected);
    for (path, text) in names.iter().zip(files.values()) {
        let expected = fs::read_to_string(path).expect("it can be read");
        assert_eq!(text, &expected, "{}", path.display());
    }
}

/// The settings in the rendered `ConfigMap` must be accepted by the server.
fn check_settings(map: &str) {
    let map: Value = serde_yaml::from_str(map).expect("it is YAML");
    let text = map["data"]["server.toml"].as_str().expect("the settings");
    let file = SourceFile::new("server.toml", text.to_owned());
    let environment = SettingsEnvironment {
        dir: Path::new("/etc/svc"),
        variable: &|name| match name {
            "SVC_STORE" => Some("postgres://svc:password@db.example.com/svc".to_owned()),
            _ => Some("a-secret-that-is-long-enough-for-all".to_owned()),
        },
        read_text: &|_| Err(std::io::Error::other("there is no file")),
        is_dir: &|_| true,
        is_readable_by_all: &|_| false,
    };
    let read = Settings::read(&file, &environment);
    assert!(
        read.diagnostics.is_empty(),
        "{}\n{text}",
        read.render_text()
    );
    assert!(read.settings.is_some());
}

#[test]
fn the_chart_renders_one_server_with_sqlite_and_several_with_postgresql() {
    let fixtures = sites::workspace().join("tests/fixtures/helm");
    for (name, values) in [("sqlite", json!({})), ("postgresql", with_postgresql())] {
        let Some(chart) = render(&values) else { return };
        assert_eq!(chart.problems, [""; 0], "{name}");
        check_settings(&chart.files["configmap.yaml"]);
        compare(&fixtures.join(name), &chart.files);
        let is_deployment = chart.files.contains_key("deployment.yaml");
        assert_eq!(is_deployment, name == "postgresql");
        assert_ne!(is_deployment, chart.files.contains_key("statefulset.yaml"));
    }
}

#[test]
fn values_that_cannot_work_are_refused_with_a_hint() {
    for (values, hint) in [
        (json!({"replicas": 2}), "set store.kind to postgresql"),
        (
            json!({"store": {"kind": "postgresql"}, "admin": {"enabled": true}}),
            "store.existingSecret",
        ),
        (
            json!({"store": {"kind": "postgresql", "existingSecret": "a"}}),
            "admin.enabled",
        ),
        (
            json!({"ingress": {"enabled": true, "adminHost": "a.example.com"}}),
            "set admin.enabled",
        ),
        (json!({"store": {"kind": "mysql"}}), "store"),
        (
            json!({"objects": {"url": "s3://a"}}),
            "set store.kind to postgresql",
        ),
        (json!({"objects": {"secret_key": "a"}}), "objects"),
        (json!({"server": {"listen": "0.0.0.0:1"}}), "listen"),
        (
            json!({"settings": "[admin]\nlisten = \"[::]:1\"\n"}),
            "settings",
        ),
        (json!({"replica": 1}), "replica"),
    ] {
        let Some(chart) = render(&values) else { return };
        assert!(chart.files.is_empty(), "{values} is accepted");
        let problems = chart.problems.join("\n");
        assert!(problems.contains(hint), "{values}: {problems}");
    }
}

/// Leaves of the values, for the limit of the chart: an operator reads them all.
fn leaves(value: &serde_yaml::Value) -> usize {
    match value.as_mapping() {
        Some(mapping) if !mapping.is_empty() => {
            mapping.iter().map(|(_, value)| leaves(value)).sum()
        }
        _ => 1,
    }
}

#[test]
fn the_chart_has_forty_values_at_most_and_the_version_of_the_program() {
    let values = serde_yaml::from_str(&super::text("helm/svc/values.yaml")).expect("it is YAML");
    let count = leaves(&values);
    assert!((20..=40).contains(&count), "{count}");
    let chart: serde_yaml::Value =
        serde_yaml::from_str(&super::text("helm/svc/Chart.yaml")).expect("it is YAML");
    for key in ["version", "appVersion"] {
        assert_eq!(
            chart[key].as_str(),
            Some(env!("CARGO_PKG_VERSION")),
            "{key}"
        );
    }
}

#[test]
fn the_values_of_the_documentation_are_accepted() {
    let shown: Vec<_> = crate::recipes::recipes(&["yaml"])
        .into_iter()
        .filter(|recipe| recipe.page == "self-hosting/kubernetes.mdx")
        .collect();
    assert_eq!(shown.len(), 2);
    for recipe in shown {
        let values: Value = serde_yaml::from_str(&recipe.text).expect("it is YAML");
        let Some(chart) = render(&values) else { return };
        assert_eq!(chart.problems, [""; 0], "{}", recipe.text);
        check_settings(&chart.files["configmap.yaml"]);
    }
}
