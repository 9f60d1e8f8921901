//! The reference of the metrics of `svc-server`.

use std::fmt::Write as _;

use svc_server::{METRICS, MetricDescription};

use super::{GENERATED, plain};

/// Returns the page `reference/metrics`.
pub(super) fn page() -> String {
    let mut out = String::from(
        "---\ntitle: Metrics\ndescription: Every metric of svc-server with its type, labels and meaning.\nicon: chart-line\n---\n\n",
    );
    out.push_str(GENERATED);
    out.push_str(
        "\n`GET /metrics` has these metrics in the text format of OpenMetrics, which Prometheus reads. \
         [Monitoring](/self-hosting/monitoring) explains where, and how to use them. A metric with labels has \
         no samples until there is something to count. A histogram has the names below with `_bucket`, `_sum` \
         and `_count`.\n",
    );
    section(&mut out, "Server", |metric| metric.name.starts_with("svc_"));
    section(&mut out, "Process", |metric| {
        metric.name.starts_with("process_")
    });
    out.push_str(
        "\n## Values of labels\n\n\
         | Label | Values |\n| --- | --- |\n\
         | `project` | ID of a project; `(administration)` for the Admin API and the dashboard; empty for requests to no project and for servers of one folder. From the 501st project on, requests are counted without a project. |\n\
         | `class` | `page`; `asset` for images, styles and scripts; `machine` for Markdown, `llms.txt`, sitemaps and other files for programs; `search`; `mcp`; `relay`; `webhook`; `health`; `admin` for the Admin API and the dashboard; `not_found` for responses with 404 and 410 |\n\
         | `status` of requests | `1xx` to `5xx` |\n\
         | `listener` | `sites` or `admin` |\n\
         | `result` of sign-ins | `success`, `wrong_password`, `too_many_attempts`, `incomplete` if the provider or a token was rejected, `no_access` or `too_many_groups` |\n\
         | `result` of certificates | `success` or `failure` |\n\
         | `cache` | `pages` for rendered pages; `responses` for Markdown, lists for programs and other generated responses |\n\
         | `severity` | `error` or `warning` |\n\
         | `purpose` | `relay` for the API playground; `documents` for remote OpenAPI documents; `repositories` for figures of GitHub; `purge` for the CDN; `sign_in` for OpenID Connect providers of readers; `forge` for pull requests of agents; `certificates` for the certificate authority; `pull_request` for statuses and comments of previews |\n\
         | `file` | Path of the file with the certificate |\n\
         | `state` of deployments | `queued`, `building`, `live` or `failed` |\n",
    );
    out
}

fn section(out: &mut String, title: &str, belongs: impl Fn(&MetricDescription) -> bool) {
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "\n## {title}\n\n| Metric | Type | Labels | Meaning |\n| --- | --- | --- | --- |\n"
    );
    for metric in METRICS.iter().filter(|metric| belongs(metric)) {
        let labels = metric.labels.iter().map(|label| format!("`{label}`"));
        let labels: Vec<String> = labels.collect();
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} |",
            metric.full_name(),
            metric.kind.name(),
            labels.join(", "),
            plain(metric.help)
        );
    }
}
