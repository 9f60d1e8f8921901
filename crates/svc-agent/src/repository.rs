//! The repository of a job: the clone before the agent, the commit and the push after it.

use std::fs;
use std::io;

use svc_admin_api::agent_job::Job;

use crate::git::{GitCall, GitProgram};
use crate::messages;
use crate::redact::Redactor;
use crate::search::SecretSearch;
use crate::workspace::{self, DirId, Workspace};

/// Commits of history that an agent gets.
const CLONE_DEPTH: &str = "--depth=50";
/// Changed files that the log names.
const MAX_LISTED_FILES: usize = 50;

/// Where a run begins.
pub(crate) struct Checkout {
    /// The branch that changes are for.
    pub(crate) base: String,
    /// The branch of the job.
    pub(crate) branch: String,
    /// The commit that the branch of the job stood at, if there is one.
    branch_commit: Option<String>,
    /// Whether that is where the agent begins.
    pub(crate) resumes: bool,
    /// The commit that the agent begins with.
    commit: String,
    /// The settings of the folder that commits are made in.
    config: Vec<u8>,
    /// Which folder that is.
    identity: Option<DirId>,
}

/// A commit that was made.
pub(crate) struct NewCommit {
    pub(crate) commit: String,
    /// What changed, for the log.
    pub(crate) summary: String,
}

fn io_error(error: io::Error) -> String {
    format!("the folder of the job cannot be used: {error}")
}

/// Clones: the branch of an earlier turn where there is one, else the branch of the job.
pub(crate) async fn clone_repository(
    git: &GitProgram<'_>,
    job: &Job,
    address: &str,
    workspace: &Workspace,
) -> Result<Checkout, String> {
    let folder = workspace.agent_git_dir();
    let files = workspace.files();
    fs::create_dir(&folder).map_err(io_error)?;
    let local = || GitCall {
        network: false,
        git_dir: &folder,
        work_tree: Some(&files),
        input: "",
    };
    let remote = || GitCall {
        network: true,
        ..local()
    };
    let bare = GitCall {
        work_tree: None,
        ..local()
    };
    git.run(bare, &["init", "--quiet", "--template="]).await?;
    let branch = messages::branch(job);
    let (base, at, standing) = list_remote(git, job, address, &branch, remote()).await?;
    let continues = job.turn > 1 && standing.is_some();
    if at.is_none() {
        return Err(format!("the repository has no branch `{base}`"));
    }
    let mut fetch = vec![
        "fetch".to_owned(),
        "--quiet".to_owned(),
        CLONE_DEPTH.to_owned(),
        "--no-tags".to_owned(),
        "--no-recurse-submodules".to_owned(),
        "--no-write-fetch-head".to_owned(),
        "--no-auto-maintenance".to_owned(),
        "--".to_owned(),
        address.to_owned(),
        format!("+refs/heads/{base}:refs/remotes/origin/{base}"),
    ];
    if continues {
        fetch.push(format!("+refs/heads/{branch}:refs/remotes/origin/{branch}"));
    }
    git.run(remote(), &fetch).await?;
    let from = if continues { &branch } else { &base };
    let tip = format!("refs/remotes/origin/{from}^{{commit}}");
    let commit = git.run(local(), &["rev-parse", "--verify", &tip]).await?;
    let commit = commit.trim().to_owned();
    let checkout = ["checkout", "--quiet", "--no-track", "-b", from, &commit];
    git.run(local(), &checkout).await?;
    git.run(local(), &["config", "remote.origin.url", address])
        .await?;
    // From here on the agent's folder is its own; what we commit with is another one.
    let own = workspace.git_dir();
    let (from, to) = (folder.clone(), own.clone());
    let copied = tokio::task::spawn_blocking(move || workspace::copy(&from, &to)).await;
    copied
        .map_err(io::Error::other)
        .and_then(|copied| copied)
        .map_err(io_error)?;
    let settings = fs::read(own.join("config")).map_err(io_error)?;
    Ok(Checkout {
        identity: workspace::dir_id(&own),
        base,
        branch,
        branch_commit: standing,
        resumes: continues,
        commit,
        config: settings,
    })
}

/// What stands at the server: the branch that changes are for and its commit, and the commit of
/// the branch of the job.
async fn list_remote(
    git: &GitProgram<'_>,
    job: &Job,
    address: &str,
    branch: &str,
    call: GitCall<'_>,
) -> Result<(String, Option<String>, Option<String>), String> {
    let wanted = job.branch.as_ref().map(|branch| branch.as_str().to_owned());
    let own = format!("refs/heads/{branch}");
    let named = wanted.as_ref().map(|name| format!("refs/heads/{name}"));
    let mut arguments = vec![
        "ls-remote",
        "--quiet",
        "--symref",
        "--",
        address,
        "HEAD",
        &own,
    ];
    arguments.extend(named.as_deref());
    let listed = git.run(call, &arguments).await?;
    let of = |name: &str| {
        listed.lines().find_map(|line| {
            let (id, what) = line.split_once('\t')?;
            (what == name && !id.starts_with("ref: ")).then(|| id.to_owned())
        })
    };
    let base = match wanted {
        Some(base) => base,
        None => {
            let head = listed.lines().find_map(|line| {
                let name = line.strip_prefix("ref: refs/heads/")?;
                name.strip_suffix("\tHEAD")
            });
            head.map(str::to_owned).ok_or_else(|| {
                "the repository names no default branch; name one for the project".to_owned()
            })?
        }
    };
    let at = of(&format!("refs/heads/{base}"));
    // Servers of older protocols do not list the branch that nobody has named.
    let at = at.or_else(|| named.is_none().then(|| of("HEAD")).flatten());
    Ok((base, at, of(&own)))
}

impl Checkout {
    /// Makes a commit of the work tree; nothing when no file was changed.
    pub(crate) async fn commit(
        &self,
        git: &GitProgram<'_>,
        workspace: &Workspace,
        message: &str,
    ) -> Result<Option<NewCommit>, String> {
        let (own, files) = (workspace.git_dir(), workspace.files());
        let call = |input| GitCall {
            network: false,
            git_dir: &own,
            work_tree: Some(&files),
            input,
        };
        // An agent of the same account could have found the folder.
        self.restore(workspace).map_err(io_error)?;
        git.run(call(""), &["add", "--all", "--", "."]).await?;
        let tree = git.run(call(""), &["write-tree"]).await?;
        let tree = tree.trim();
        let before = format!("{}^{{tree}}", self.commit);
        let before = ["rev-parse", "--verify", &before];
        if git.run(call(""), &before).await?.trim() == tree {
            return Ok(None);
        }
        let arguments = ["commit-tree", tree, "-p", &self.commit, "-F", "-"];
        let commit = git.run(call(message), &arguments).await?;
        let commit = commit.trim().to_owned();
        let arguments = [
            "diff-tree",
            "-r",
            "--name-status",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            &self.commit,
            &commit,
        ];
        let changed = git.run(call(""), &arguments).await?;
        let mut lines = changed.lines();
        let mut summary: String = lines
            .by_ref()
            .take(MAX_LISTED_FILES)
            .map(|line| format!("\n  {}", line.replace('\t', " ")))
            .collect();
        let more = lines.count();
        if more > 0 {
            summary.push_str(&format!("\n  and {more} more"));
        }
        Ok(Some(NewCommit { commit, summary }))
    }

    /// Looks for secrets in what a commit adds: a push cannot be taken back.
    ///
    /// # Errors
    /// When there is one, or it cannot be looked for.
    pub(crate) async fn check_secrets(
        &self,
        git: &GitProgram<'_>,
        workspace: &Workspace,
        made: &NewCommit,
        message: &str,
        secrets: &Redactor,
    ) -> Result<(), String> {
        let mut search = SecretSearch::new(secrets);
        if search.contains_secret(message) {
            return Err("the message of the commit holds a secret; nothing was pushed".to_owned());
        }
        let own = workspace.git_dir();
        let call = GitCall {
            network: false,
            git_dir: &own,
            work_tree: None,
            input: "",
        };
        let arguments = [
            "diff-tree",
            "-r",
            "-p",
            "--text",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--no-prefix",
            "--no-color",
            &self.commit,
            &made.commit,
        ];
        git.stream(call, &arguments, &mut |bytes: &[u8]| search.push(bytes))
            .await?;
        match search.finish() {
            Some(file) => Err(format!(
                "`{file}` holds a secret that the server knows; nothing was pushed"
            )),
            None => Ok(()),
        }
    }

    /// Puts the folder that commits are made in back to what it was.
    fn restore(&self, workspace: &Workspace) -> io::Result<()> {
        let own = workspace.git_dir();
        if self.identity.is_none() || workspace::dir_id(&own) != self.identity {
            return Err(io::Error::other("it is another one"));
        }
        for name in [
            "config.worktree",
            "hooks",
            "info",
            "commondir",
            "objects/info",
            "index.lock",
        ] {
            workspace::remove(&own.join(name));
        }
        workspace::remove(&own.join("config"));
        fs::write(own.join("config"), &self.config)
    }

    /// Pushes a commit to the branch of the job, unless somebody else has moved it meanwhile.
    pub(crate) async fn push(
        &self,
        git: &GitProgram<'_>,
        workspace: &Workspace,
        address: &str,
        commit: &str,
    ) -> Result<(), String> {
        let own = workspace.git_dir();
        let call = GitCall {
            network: true,
            git_dir: &own,
            work_tree: None,
            input: "",
        };
        let branch = &self.branch;
        let standing = self.branch_commit.as_deref().unwrap_or_default();
        let lease = format!("--force-with-lease=refs/heads/{branch}:{standing}");
        let what = format!("{commit}:refs/heads/{branch}");
        let arguments = [
            "push",
            "--quiet",
            "--no-verify",
            &lease,
            "--",
            address,
            &what,
        ];
        git.run(call, &arguments).await.map(drop)
    }
}
