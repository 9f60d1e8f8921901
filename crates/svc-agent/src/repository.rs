//! Repository of a job: the clone before the agent, the commit and push after it.

use std::fs;
use std::io;

use svc_admin_api::agent_job::Job;

use crate::git::{GitCall, GitProgram};
use crate::messages;
use crate::redact::Redactor;
use crate::search::SecretSearch;
use crate::workspace::{self, DirId, Workspace};

/// Number of commits of history in the clone.
const CLONE_DEPTH: &str = "--depth=50";
/// Maximum number of changed files in the log.
const MAX_LISTED_FILES: usize = 50;

/// Starting point of a run.
pub(crate) struct Checkout {
    /// Target branch of the changes.
    pub(crate) base: String,
    /// Branch of the job.
    pub(crate) branch: String,
    /// Current commit of the job's branch, if it exists.
    branch_commit: Option<String>,
    /// Whether the agent starts with the branch of the job.
    pub(crate) resumes: bool,
    /// Commit that the agent starts with.
    commit: String,
    /// Configuration of the Git directory for commits.
    config: Vec<u8>,
    /// Identity of that directory.
    identity: Option<DirId>,
}

/// A new commit.
pub(crate) struct NewCommit {
    pub(crate) commit: String,
    /// Changed files, for the log.
    pub(crate) summary: String,
}

fn io_error(error: io::Error) -> String {
    format!("the folder of the job cannot be used: {error}")
}

/// Clones the branch of an earlier turn if it exists, or else the target branch.
pub(crate) async fn clone_repository(
    git: &GitProgram<'_>,
    job: &Job,
    remote_url: &str,
    workspace: &Workspace,
) -> Result<Checkout, String> {
    let agent_dir = workspace.agent_git_dir();
    let files = workspace.files();
    fs::create_dir(&agent_dir).map_err(io_error)?;
    let local = || GitCall {
        network: false,
        git_dir: &agent_dir,
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
    let (base, at, branch_commit) = list_remote(git, job, remote_url, &branch, remote()).await?;
    let continues = job.turn > 1 && branch_commit.is_some();
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
        remote_url.to_owned(),
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
    git.run(local(), &["config", "remote.origin.url", remote_url])
        .await?;
    // From here on the agent can modify its Git directory; commits are made with another one.
    let git_dir = workspace.git_dir();
    let (from, to) = (agent_dir.clone(), git_dir.clone());
    let copied = tokio::task::spawn_blocking(move || workspace::copy(&from, &to)).await;
    copied
        .map_err(io::Error::other)
        .and_then(|copied| copied)
        .map_err(io_error)?;
    let settings = fs::read(git_dir.join("config")).map_err(io_error)?;
    Ok(Checkout {
        identity: workspace::dir_id(&git_dir),
        base,
        branch,
        branch_commit,
        resumes: continues,
        commit,
        config: settings,
    })
}

/// Reads references of the remote: the target branch with its commit, and the commit of the job's
/// branch.
async fn list_remote(
    git: &GitProgram<'_>,
    job: &Job,
    remote_url: &str,
    branch: &str,
    call: GitCall<'_>,
) -> Result<(String, Option<String>, Option<String>), String> {
    let branch_name = job.branch.as_ref().map(|branch| branch.as_str().to_owned());
    let work_ref = format!("refs/heads/{branch}");
    let base_ref = branch_name
        .as_ref()
        .map(|name| format!("refs/heads/{name}"));
    let mut arguments = vec![
        "ls-remote",
        "--quiet",
        "--symref",
        "--",
        remote_url,
        "HEAD",
        &work_ref,
    ];
    arguments.extend(base_ref.as_deref());
    let output = git.run(call, &arguments).await?;
    let of = |name: &str| {
        output.lines().find_map(|line| {
            let (id, reference) = line.split_once('\t')?;
            (reference == name && !id.starts_with("ref: ")).then(|| id.to_owned())
        })
    };
    let base = match branch_name {
        Some(base) => base,
        None => {
            let head = output.lines().find_map(|line| {
                let name = line.strip_prefix("ref: refs/heads/")?;
                name.strip_suffix("\tHEAD")
            });
            head.map(str::to_owned).ok_or_else(|| {
                "the repository has no default branch; set one for the project".to_owned()
            })?
        }
    };
    let at = of(&format!("refs/heads/{base}"));
    // Servers with older protocols do not report the target of `HEAD`.
    let at = at.or_else(|| base_ref.is_none().then(|| of("HEAD")).flatten());
    Ok((base, at, of(&work_ref)))
}

impl Checkout {
    /// Commits the work tree. Returns `None` if no file was changed.
    pub(crate) async fn commit(
        &self,
        git: &GitProgram<'_>,
        workspace: &Workspace,
        message: &str,
    ) -> Result<Option<NewCommit>, String> {
        let (git_dir, files) = (workspace.git_dir(), workspace.files());
        let call = |input| GitCall {
            network: false,
            git_dir: &git_dir,
            work_tree: Some(&files),
            input,
        };
        // An agent with the same account could have modified the directory.
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

    /// Searches the additions of a commit for secrets, because a push cannot be undone.
    ///
    /// # Errors
    /// When a secret is found, or the search fails.
    pub(crate) async fn check_secrets(
        &self,
        git: &GitProgram<'_>,
        workspace: &Workspace,
        commit: &NewCommit,
        message: &str,
        secrets: &Redactor,
    ) -> Result<(), String> {
        let mut search = SecretSearch::new(secrets);
        if search.contains_secret(message) {
            return Err("the commit message contains a secret; nothing was pushed".to_owned());
        }
        let git_dir = workspace.git_dir();
        let call = GitCall {
            network: false,
            git_dir: &git_dir,
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
            &commit.commit,
        ];
        git.stream(call, &arguments, &mut |bytes: &[u8]| search.push(bytes))
            .await?;
        match search.finish() {
            Some(file) => Err(format!(
                "`{file}` contains a secret of the server; nothing was pushed"
            )),
            None => Ok(()),
        }
    }

    /// Restores the Git directory for commits to its original state.
    fn restore(&self, workspace: &Workspace) -> io::Result<()> {
        let git_dir = workspace.git_dir();
        if self.identity.is_none() || workspace::dir_id(&git_dir) != self.identity {
            return Err(io::Error::other("it was replaced"));
        }
        for name in [
            "config.worktree",
            "hooks",
            "info",
            "commondir",
            "objects/info",
            "index.lock",
        ] {
            workspace::remove(&git_dir.join(name));
        }
        workspace::remove(&git_dir.join("config"));
        fs::write(git_dir.join("config"), &self.config)
    }

    /// Pushes a commit to the branch of the job, unless it was changed in between.
    pub(crate) async fn push(
        &self,
        git: &GitProgram<'_>,
        workspace: &Workspace,
        remote_url: &str,
        commit: &str,
    ) -> Result<(), String> {
        let git_dir = workspace.git_dir();
        let call = GitCall {
            network: true,
            git_dir: &git_dir,
            work_tree: None,
            input: "",
        };
        let branch = &self.branch;
        let branch_commit = self.branch_commit.as_deref().unwrap_or_default();
        let lease = format!("--force-with-lease=refs/heads/{branch}:{branch_commit}");
        let refspec = format!("{commit}:refs/heads/{branch}");
        let arguments = [
            "push",
            "--quiet",
            "--no-verify",
            &lease,
            "--",
            remote_url,
            &refspec,
        ];
        git.run(call, &arguments).await.map(drop)
    }
}
