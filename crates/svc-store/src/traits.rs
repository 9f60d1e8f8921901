//! Implementations of the store traits; the statements are in [`crate::queries`].

use svc_admin_api::account::{Account, AccountStore, PasswordChange, Session};
use svc_admin_api::agent_job::{Job, JobQuery, JobStore, Lease, Link, LogChunk, NewJob, Prompt};
use svc_admin_api::audit::{AuditEntry, AuditRecord, AuditStore};
use svc_admin_api::deployment::{DeploymentRecord, DeploymentStore};
use svc_admin_api::idempotency::{IdempotencyKey, IdempotencyStore, RecordedResponse};
use svc_admin_api::key::{Key, KeyStore};
use svc_admin_api::project::{ProjectRecord, ProjectStore};
use svc_admin_api::reader::{ReaderSession, ReaderStore, ReaderToken};
use svc_admin_api::{
    Change, ChangeResult, JobId, KeyId, ProjectId, ReaderTokenId, StatusId, StoreError, Timestamp,
};

use crate::Database;
use crate::queries::{
    accounts, audit, deployments, idempotency, jobs, keys, logs, projects, reader_sessions,
    reader_tokens, readers, workers,
};

impl ProjectStore for Database {
    async fn project(&self, id: &ProjectId) -> Result<Option<ProjectRecord>, StoreError> {
        self.read(async |conn| projects::get(conn, id).await).await
    }

    async fn projects(&self) -> Result<Vec<ProjectRecord>, StoreError> {
        self.read(async |conn| projects::list(conn).await).await
    }

    async fn put_project(
        &self,
        project: &ProjectRecord,
        change: &Change,
    ) -> Result<ChangeResult<()>, StoreError> {
        let arguments = (project.clone(), change.clone());
        self.change(projects::put, arguments).await
    }
}

impl KeyStore for Database {
    async fn create_key(&self, key: &Key, change: &Change) -> Result<ChangeResult<()>, StoreError> {
        let arguments = (key.clone(), change.clone());
        self.change(keys::create, arguments).await
    }

    async fn key_by_lookup(&self, lookup: &str) -> Result<Option<Key>, StoreError> {
        let ticket = match self.cache().map(|cache| cache.key(lookup)) {
            Some(Ok(key)) => return Ok(Some(key)),
            Some(Err(ticket)) => Some(ticket),
            None => None,
        };
        let read = self.read(async |conn| keys::by_lookup(conn, lookup).await);
        let key = read.await?;
        if let (Some(cache), Some(ticket), Some(key)) = (self.cache(), ticket, &key) {
            cache.insert_key(ticket, key);
        }
        Ok(key)
    }

    async fn keys(&self, project: &ProjectId) -> Result<Vec<Key>, StoreError> {
        self.read(async |conn| keys::list(conn, project).await)
            .await
    }

    async fn revoke_key(
        &self,
        project: &ProjectId,
        id: &KeyId,
        change: &Change,
    ) -> Result<ChangeResult<()>, StoreError> {
        let arguments = (project.clone(), id.clone(), change.clone());
        self.change(keys::revoke, arguments).await
    }

    async fn touch_key(&self, id: &KeyId, at: Timestamp) -> Result<(), StoreError> {
        self.change(keys::touch, (id.clone(), at)).await
    }
}

impl ReaderStore for Database {
    async fn create_reader_token(
        &self,
        token: &ReaderToken,
        change: &Change,
    ) -> Result<ChangeResult<()>, StoreError> {
        let arguments = (token.clone(), change.clone());
        self.change(reader_tokens::create, arguments).await
    }

    async fn reader_token(&self, hash: &[u8; 32]) -> Result<Option<ReaderToken>, StoreError> {
        self.read(async |conn| reader_tokens::by_hash(conn, hash).await)
            .await
    }

    async fn reader_tokens(&self, project: &ProjectId) -> Result<Vec<ReaderToken>, StoreError> {
        self.read(async |conn| reader_tokens::list(conn, project).await)
            .await
    }

    async fn revoke_reader_token(
        &self,
        project: &ProjectId,
        id: &ReaderTokenId,
        change: &Change,
    ) -> Result<ChangeResult<()>, StoreError> {
        let arguments = (project.clone(), id.clone(), change.clone());
        self.change(reader_tokens::revoke, arguments).await
    }

    async fn touch_reader_token(
        &self,
        id: &ReaderTokenId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.change(reader_tokens::touch, (id.clone(), at)).await
    }

    async fn record_reader_session(
        &self,
        session: &ReaderSession,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let arguments = (session.clone(), now);
        self.change(reader_sessions::record, arguments).await
    }

    async fn reader_sessions(
        &self,
        project: &ProjectId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<ReaderSession>, StoreError> {
        self.read(async |conn| reader_sessions::list(conn, project, now, limit).await)
            .await
    }

    async fn revoke_reader_sessions(
        &self,
        digest: [u8; 32],
        at: Timestamp,
        before: Timestamp,
        change: Option<&Change>,
    ) -> Result<(), StoreError> {
        let arguments = (digest, at, before, change.cloned());
        self.change(readers::revoke, arguments).await
    }
}

impl JobStore for Database {
    async fn create_job(
        &self,
        new: &NewJob,
        change: &Change,
    ) -> Result<ChangeResult<Job>, StoreError> {
        let arguments = (new.clone(), change.clone());
        self.change(jobs::create, arguments).await
    }

    async fn job(&self, project: &ProjectId, id: &JobId) -> Result<Option<Job>, StoreError> {
        let ticket = match self.cache().map(|cache| cache.job(project, id)) {
            Some(Ok(job)) => return Ok(job),
            Some(Err(ticket)) => Some(ticket),
            None => None,
        };
        let read = self.read(async |conn| jobs::get(conn, project, id).await);
        let job = read.await?;
        if let (Some(cache), Some(ticket), Some(job)) = (self.cache(), ticket, &job) {
            cache.insert_job(ticket, job);
        }
        Ok(job)
    }

    async fn jobs(&self, query: &JobQuery) -> Result<Vec<Job>, StoreError> {
        self.read(async |conn| jobs::list(conn, query).await).await
    }

    async fn message(
        &self,
        project: &ProjectId,
        id: &JobId,
        prompt: &Prompt,
        change: &Change,
    ) -> Result<ChangeResult<Job>, StoreError> {
        let arguments = (project.clone(), id.clone(), prompt.clone(), change.clone());
        self.change(jobs::message, arguments).await
    }

    async fn cancel(
        &self,
        project: &ProjectId,
        id: &JobId,
        change: &Change,
    ) -> Result<ChangeResult<Job>, StoreError> {
        let arguments = (project.clone(), id.clone(), change.clone());
        self.change(jobs::cancel, arguments).await
    }

    async fn archive(
        &self,
        project: &ProjectId,
        id: &JobId,
        change: &Change,
    ) -> Result<ChangeResult<Job>, StoreError> {
        let arguments = (project.clone(), id.clone(), change.clone());
        self.change(jobs::archive, arguments).await
    }

    async fn claim(&self, lease: &Lease, now: Timestamp) -> Result<Option<Job>, StoreError> {
        self.change(workers::claim, (lease.clone(), now)).await
    }

    async fn renew(&self, id: &JobId, lease: &Lease) -> Result<bool, StoreError> {
        let arguments = (id.clone(), lease.clone());
        self.change(workers::renew, arguments).await
    }

    async fn release(&self, id: &JobId, token: &str) -> Result<bool, StoreError> {
        let arguments = (id.clone(), token.to_owned());
        self.change(workers::release, arguments).await
    }

    async fn finish(
        &self,
        id: &JobId,
        token: &str,
        pull_request: Option<&Link>,
    ) -> Result<bool, StoreError> {
        let arguments = (id.clone(), token.to_owned(), pull_request.cloned());
        self.change(workers::finish, arguments).await
    }

    async fn fail(&self, id: &JobId, token: &str, reason: &str) -> Result<bool, StoreError> {
        let arguments = (id.clone(), token.to_owned(), reason.to_owned());
        self.change(workers::fail, arguments).await
    }

    async fn fail_abandoned(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.change(workers::fail_abandoned, now).await
    }

    async fn archive_before(&self, created: Timestamp, now: Timestamp) -> Result<u64, StoreError> {
        self.change(workers::archive_before, (created, now)).await
    }

    async fn prompts(&self, id: &JobId) -> Result<Vec<Prompt>, StoreError> {
        self.read(async |conn| jobs::prompts(conn, id).await).await
    }

    async fn append_log(&self, id: &JobId, token: &str, text: &str) -> Result<bool, StoreError> {
        let arguments = (id.clone(), token.to_owned(), text.to_owned());
        self.change(logs::append, arguments).await
    }

    async fn log(
        &self,
        project: &ProjectId,
        id: &JobId,
        from: usize,
    ) -> Result<Option<LogChunk>, StoreError> {
        self.read(async |conn| logs::read(conn, project, id, from).await)
            .await
    }
}

impl IdempotencyStore for Database {
    async fn reserve(
        &self,
        key: &IdempotencyKey,
        now: Timestamp,
    ) -> Result<ChangeResult<()>, StoreError> {
        self.change(idempotency::reserve, (key.clone(), now)).await
    }

    async fn complete(
        &self,
        key: &IdempotencyKey,
        outcome: Option<(&RecordedResponse, &AuditEntry)>,
    ) -> Result<(), StoreError> {
        let outcome = outcome.map(|(response, entry)| (response.clone(), entry.clone()));
        self.change(idempotency::complete, (key.clone(), outcome))
            .await
    }

    async fn delete_expired(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.change(idempotency::delete_expired, now).await
    }
}

impl AuditStore for Database {
    async fn record(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        self.change(audit::record, entry.clone()).await
    }

    async fn entries(
        &self,
        project: Option<&ProjectId>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<AuditRecord>, StoreError> {
        self.read(async |conn| audit::entries(conn, project, before, limit).await)
            .await
    }

    async fn delete_entries(&self, before: Timestamp, max: usize) -> Result<u64, StoreError> {
        self.change(audit::delete_before, (before, max)).await
    }
}

impl AccountStore for Database {
    async fn account(&self, name: &str) -> Result<Option<Account>, StoreError> {
        self.read(async |conn| accounts::get(conn, name).await)
            .await
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.read(async |conn| accounts::list(conn).await).await
    }

    async fn put_account(
        &self,
        account: &Account,
        change: &Change,
    ) -> Result<ChangeResult<()>, StoreError> {
        let arguments = (account.clone(), change.clone());
        self.change(accounts::put, arguments).await
    }

    async fn replace_password(
        &self,
        new: &PasswordChange,
        change: Option<&Change>,
    ) -> Result<ChangeResult<()>, StoreError> {
        let arguments = (new.clone(), change.cloned());
        self.change(accounts::replace_password, arguments).await
    }

    async fn create_session(&self, session: &Session) -> Result<ChangeResult<()>, StoreError> {
        self.change(accounts::create_session, session.clone()).await
    }

    async fn session(&self, hash: &[u8; 32]) -> Result<Option<Session>, StoreError> {
        self.read(async |conn| accounts::session(conn, hash).await)
            .await
    }

    async fn touch_session(&self, hash: &[u8; 32], at: Timestamp) -> Result<(), StoreError> {
        self.change(accounts::touch_session, (*hash, at)).await
    }

    async fn end_session(&self, hash: &[u8; 32]) -> Result<(), StoreError> {
        self.change(accounts::end_session, *hash).await
    }

    async fn end_sessions(&self, account: &str) -> Result<u64, StoreError> {
        self.change(accounts::end_sessions, account.to_owned())
            .await
    }

    async fn delete_expired_sessions(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.change(accounts::delete_expired, now).await
    }
}

impl DeploymentStore for Database {
    async fn put_deployment(&self, deployment: &DeploymentRecord) -> Result<(), StoreError> {
        self.change(deployments::put, deployment.clone()).await
    }

    async fn deployment(&self, id: &StatusId) -> Result<Option<DeploymentRecord>, StoreError> {
        self.read(async |conn| deployments::get(conn, id).await)
            .await
    }

    async fn deployments(
        &self,
        project: &ProjectId,
        before: Option<(Timestamp, StatusId)>,
        limit: usize,
    ) -> Result<Vec<DeploymentRecord>, StoreError> {
        self.read(async |conn| deployments::list(conn, project, before, limit).await)
            .await
    }
}
