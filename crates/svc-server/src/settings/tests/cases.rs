//! Invalid settings with the location of their diagnostics. Long because it is a flat list.

use super::SHORT;

/// Replacement of a part of [`SHORT`], or text before (`^`) or after (`$`) it, and the expected
/// diagnostics.
pub(super) const CASES: &[(&str, &str, &[&str])] = &[
    // The server.
    ("data = \"/var/lib/svc\"\n", "", &["1:1 settings-missing"]),
    (
        "data = \"/var/lib/svc\"",
        "data = 5",
        &["1:8 settings-type"],
    ),
    (
        "data = \"/var/lib/svc\"",
        "data = ''",
        &["1:8 settings-value"],
    ),
    ("^", "lisen = \"x\"\n", &["1:1 settings-unknown-key"]),
    (
        "^",
        "listen = \"localhost:8080\"\n",
        &["1:10 settings-value"],
    ),
    ("^", "listen = 8080\n", &["1:10 settings-type"]),
    (
        "^",
        "docs_domain = \"https://a.example\"\n",
        &["1:15 settings-value"],
    ),
    ("^", "keep = 0\n", &["1:8 settings-value"]),
    ("^", "keep = \"5\"\n", &["1:8 settings-type"]),
    ("^", "keep = 1.5\n", &["1:8 settings-type"]),
    ("^", "max_builds = -1\n", &["1:14 settings-value"]),
    ("^", "keep = 5\nkeep = 6\n", &["2:1 data-duplicate-key"]),
    ("$", "[git]\ntimeout = \"5 m\"\n", &["7:11 settings-value"]),
    ("$", "[git]\ntimeout = \"0s\"\n", &["7:11 settings-value"]),
    (
        "$",
        "[git]\nmax_file_size = \"1XB\"\n",
        &["7:17 settings-value"],
    ),
    (
        "$",
        "[outbound]\nrelay_allow = [\"10.0.0.0/8\", \"a/b\"]\n",
        &["7:30 settings-value"],
    ),
    ("$", "[outbound]\nrelay = \"no\"\n", &["7:9 settings-type"]),
    (
        "$",
        "[outbound]\nremote_allow = [\"a/b\"]\nremote_refresh = \"1s\"\n",
        &["7:17 settings-value", "8:18 settings-value"],
    ),
    ("$", "[authentication]\n", &["6:2 settings-later"]),
    // Traces.
    ("$", "[traces]\n", &["6:1 settings-missing"]),
    (
        "$",
        "[traces]\nendpoint = \"http://127.0.0.1:4318\"\nsample_percent = 101\n",
        &["7:12 settings-value", "8:18 settings-value"],
    ),
    (
        "$",
        "[traces]\nendpoint = \"127.0.0.1:4318/v1/traces\"\n",
        &["7:12 settings-value"],
    ),
    (
        "$",
        "[traces]\nendpoint = \"http://a.example/v1/traces\"\nauthorization_env = \"UNSET\"\n",
        &["8:21 settings-secret-missing"],
    ),
    // The log.
    ("$", "[log]\n", &[]),
    (
        "$",
        "[log]\nformat = \"json\"\nlevel = \"warn,svc_git=debug\"\n",
        &[],
    ),
    ("$", "[log]\nformat = \"xml\"\n", &["7:10 settings-value"]),
    ("$", "[log]\nlevel = \"verbose\"\n", &["7:9 settings-value"]),
    (
        "$",
        "[log]\nlevel = \"info,svc git=debug\"\n",
        &["7:9 settings-value"],
    ),
    (
        "$",
        "[log]\nlevel = \"info,\"\naccess = 1\n",
        &["7:9 settings-value", "8:10 settings-type"],
    ),
    // The administration.
    ("$", "[admin]\n", &[]),
    (
        "$",
        "[admin]\nlisten = \"8081\"\n",
        &["7:10 settings-value"],
    ),
    (
        "$",
        "[admin]\nhost = \"a.example\"\n",
        &["4:10 settings-duplicate"],
    ),
    (
        "$",
        "[admin]\nhost = \"admin.{docs_domain}\"\n",
        &["7:8 settings-value"],
    ),
    (
        "$",
        "[admin]\nstore = \"mysql://a/b\"\n",
        &["7:9 settings-value"],
    ),
    (
        "$",
        "[admin]\nstore = \"postgres://svc:hunter2@db/svc\"\n",
        &["7:9 settings-secret"],
    ),
    (
        "$",
        "[admin]\nstore_env = \"HANDBOOK_TOKEN\"\n",
        &["7:1 settings-value"],
    ),
    (
        "$",
        "[admin]\nstore = \"sqlite:a\"\nstore_file = \"store\"\n",
        &["8:1 settings-conflict"],
    ),
    (
        "$",
        "[admin]\ntrusted_proxies = [\"10.0.0.1\", \"0.0.0.0/0\", \"proxy\"]\n",
        &["7:32 settings-value", "7:45 settings-value"],
    ),
    (
        "$",
        "[admin]\nrates.requests_per_minute = 0\n",
        &["7:29 settings-value"],
    ),
    (
        "$",
        "[admin]\n[admin.oidc]\nissuer = \"https://id.example\"\nclient_id = \"a\"\nclient_secret_file = \"oidc.secret\"\n",
        &["7:1 settings-missing"],
    ),
    (
        "$",
        "[admin]\n[admin.oidc]\nissuer = \"http://id.example\"\nclient_id = \"a\"\nclient_secret = \"b\"\nemails = \"ada\"\n",
        &[
            "8:10 settings-value",
            "10:1 settings-secret",
            "11:10 settings-value",
        ],
    ),
    (
        "$",
        "[agent]\ncommand = \"a\"\n",
        &["6:2 settings-conflict"],
    ),
    (
        "$",
        "[admin]\n[agent]\ncommand = []\nenvironment = \"A B\"\n",
        &["8:1 settings-value", "9:15 settings-value"],
    ),
    (
        "$",
        "[admin]\n[agent]\ncommand = \"a\"\nauthor = \"nobody\"\n",
        &["9:10 settings-value"],
    ),
    (
        "$",
        "[projects.agent]\nrepository = \"https://a.example/b.git\"\nforge_command = \"a\"\n",
        &["6:11 settings-conflict"],
    ),
    (
        "$",
        "[projects.agent]\nforge = \"svn\"\ntoken_env = \"HANDBOOK_TOKEN\"\n[admin]\n[agent]\ncommand = \"a\"\n",
        &["6:1 settings-missing", "7:9 settings-value"],
    ),
    (
        "$",
        "[projects.agent]\nrepository = \"https://a:hunter2@a.example/b.git\"\nforge_command = \"a\"\nforge_url = \"https://a.example\"\n[admin]\n[agent]\ncommand = \"a\"\n",
        &["7:14 settings-secret", "9:1 settings-conflict"],
    ),
    (
        "$",
        "[projects.agent]\nrepository = \"https://a.example/b.git\"\nforge_command = \"a\"\nssh_key = \"k\"\nuser = \"u\"\n[admin]\n[agent]\ncommand = \"a\"\n",
        &["9:1 settings-conflict", "9:1 settings-conflict"],
    ),
    (
        "$",
        "[projects.agent]\nrepository = \"ssh://git@a.example/b.git\"\nforge_command = \"a\"\nknown_hosts = \"k\"\n[admin]\n[agent]\ncommand = \"a\"\n",
        &["9:1 settings-conflict"],
    ),
    (
        "$",
        "[projects.pull_requests]\nforge = \"github\"\nrepository = \"https://a.example/b/c\"\ntoken_env = \"HANDBOOK_TOKEN\"\n",
        &["6:11 settings-conflict", "6:11 settings-conflict"],
    ),
    (
        "source.folder = \"a\"\n",
        "source.git = \"https://a.example/b/c.git\"\n[projects.previews]\nhost = \"{preview}.b.example\"\n[projects.pull_requests]\nforge = \"svn\"\ncomment = false\nstatus = false\ntoken_env = \"HANDBOOK_TOKEN\"\n[admin]\n",
        &["8:1 settings-conflict", "9:9 settings-value"],
    ),
    ("$", "[admin]\naudit = \"10h\"\n", &["7:9 settings-value"]),
    // A project.
    ("id = \"a\"", "", &["2:1 settings-missing"]),
    ("id = \"a\"", "id = \"A b\"", &["3:6 settings-value"]),
    (
        "id = \"a\"",
        "id = \"a\"\nbase_path = \"docs\"",
        &["4:13 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\nbase_path = \"/a//b\"",
        &["4:13 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\nbase_path = \"/../b\"",
        &["4:13 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\nbase_path = \"/Login/x\"",
        &["4:13 settings-value"],
    ),
    ("id = \"a\"", "id = \"a\"\nbase_path = \"/docs/\"", &[]),
    (
        "id = \"a\"",
        "id = \"a\"\norigin = \"https://a.example/docs\"",
        &["4:10 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\norigin = \"a.example\"",
        &["4:10 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\npoll = \"1s\"",
        &["4:8 settings-value"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\nscripts = 0",
        &["4:11 settings-type"],
    ),
    (
        "id = \"a\"",
        "id = \"a\"\nscript = false",
        &["4:1 settings-unknown-key"],
    ),
    ("[\"a.example\"]", "[]", &["4:1 settings-missing"]),
    ("[\"a.example\"]", "\"a.example\"", &[]),
    (
        "[\"a.example\"]",
        "[\"a.example:80\", \"https://a.example\", \"*.example\", \"a/b\"]",
        &[
            "4:10 settings-value",
            "4:26 settings-value",
            "4:47 settings-value",
            "4:60 settings-value",
        ],
    ),
    (
        "[\"a.example\"]",
        "[\"a.{docs_domain}\"]",
        &["4:10 settings-value"],
    ),
    (
        "[\"a.example\"]",
        "[\"a.example\", \"A.example.\"]",
        &["4:23 settings-duplicate"],
    ),
    (
        "$",
        "[[projects]]\nid = \"a\"\nhosts = \"b.example\"\nsource.folder = \"b\"\n",
        &["7:6 settings-duplicate"],
    ),
    (
        "$",
        "[[projects]]\nid = \"b\"\nhosts = \"A.EXAMPLE\"\nsource.folder = \"b\"\n",
        &["8:9 settings-duplicate"],
    ),
    // Its source.
    ("source.folder = \"a\"", "", &["2:1 settings-missing"]),
    (
        "source.folder = \"a\"",
        "source.folder = \"missing\"",
        &["5:17 settings-folder"],
    ),
    (
        "source.folder = \"a\"",
        "source.folder = \"/var\"",
        &["5:17 settings-conflict"],
    ),
    (
        "source.folder = \"a\"",
        "source = {}",
        &["5:10 settings-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source = { folder = \"a\", git = \"/x\" }",
        &["5:26 settings-conflict"],
    ),
    (
        "source.folder = \"a\"",
        "source = { folder = \"a\", branch = \"b\" }",
        &["5:26 settings-conflict"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"ext::sh -c true\"",
        &["5:14 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"--upload-pack=x\"",
        &["5:14 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"git@host.example:team/x.git\"",
        &[],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"ssh://git@host.example/x\"",
        &[],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"https://u:hunter2@host.example/x\"",
        &["5:14 settings-secret"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"https://hunter2@host.example/x\"",
        &["5:14 settings-secret"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", branch = \"-x\", subfolder = \"/a\" }",
        &["5:33 settings-value", "5:51 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", subfolder = \"a/../b\" }",
        &["5:36 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", token = \"hunter2\" }",
        &["5:24 settings-secret"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", token_env = \"NO\" }",
        &["5:36 settings-secret-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", token_file = \"empty\" }",
        &["5:37 settings-secret-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", token_file = \"a\", ssh_key = \"b\" }",
        &["5:42 settings-conflict"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", ssh_key = \"b\" }",
        &[],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", user = \"b\" }",
        &["5:24 settings-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source = { git = \"/x\", known_hosts = \"b\" }",
        &["5:24 settings-conflict"],
    ),
    // Webhooks and previews.
    (
        "$",
        "webhook.secret_file = \"webhook.secret\"\n",
        &["6:1 settings-conflict"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\nwebhook = {}",
        &["6:11 settings-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\nwebhook.secret = \"hunter2\"",
        &["6:9 settings-secret"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\nwebhook.secret_file = \"x\"",
        &["6:23 settings-secret-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\npreviews = {}",
        &["6:12 settings-missing"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\npreviews.host = \"*.example\"",
        &["6:17 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\npreviews.host = \"{preview}.example\"",
        &["6:17 settings-duplicate"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\npreviews.host = \"{preview}.p.example\"\npreviews.max = 0",
        &["7:16 settings-value"],
    ),
    (
        "source.folder = \"a\"",
        "source.git = \"/x\"\npreviews.host = \"{preview}.p.example\"\n[[projects]]\nid = \"b\"\nhosts = \"b.example\"\nsource.git = \"/y\"\npreviews.host = \"b-{preview}.p.example\"",
        &["11:17 settings-duplicate"],
    ),
];

pub(super) fn changed(part: &str, with: &str) -> String {
    match part {
        "^" => format!("{with}{SHORT}"),
        "$" => format!("{SHORT}{with}"),
        part => SHORT.replace(part, with),
    }
}
