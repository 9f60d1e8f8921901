//! Keys.

use svc_admin_api::key::{Key, Network, Scope};
use svc_admin_api::{Change, KeyId, ChangeResult, ProjectId, Timestamp};

use super::{audit, projects};
use crate::failure::Failure;
use crate::notice::Notice;
use crate::sql::{Link, Row};
use crate::work::{Ends, Step, Touched, Work};

const ADD: &str = "INSERT INTO keys (id, project, name, lookup, hash, scope, networks, \
    created_at, expires_at, revoked_at, last_used_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING";

const BY_LOOKUP: &str = "SELECT id, project, name, lookup, hash, scope, networks, created_at, \
    expires_at, revoked_at, last_used_at FROM keys WHERE lookup = $1";

const OF_PROJECT: &str = "SELECT id, project, name, lookup, hash, scope, networks, created_at, \
    expires_at, revoked_at, last_used_at FROM keys WHERE project = $1 \
    ORDER BY created_at DESC, id DESC";

const REVOKE: &str = "UPDATE keys SET revoked_at = $3 \
    WHERE project = $1 AND id = $2 AND revoked_at IS NULL RETURNING lookup";

const IS_THERE: &str = "SELECT id FROM keys WHERE project = $1 AND id = $2";

const TOUCH: &str = "UPDATE keys SET last_used_at = $2 \
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2) RETURNING lookup";

pub(crate) fn create<'a>(
    work: &'a mut Work<'_>,
    (key, change): &'a (Key, Change),
) -> Step<'a, ChangeResult<()>> {
    Box::pin(async move {
        if !projects::is_known(&mut work.link, &key.project).await? {
            return Ok(Ends::Undo(ChangeResult::NotFound));
        }
        let networks: Vec<String> = key.networks.iter().map(Network::to_string).collect();
        let networks = networks.join(" ");
        let values = [
            key.id.as_str().into(),
            key.project.as_str().into(),
            (&key.name).into(),
            (&key.lookup).into(),
            (&key.hash).into(),
            key.scope.as_str().into(),
            (&networks).into(),
            key.created_at.into(),
            key.expires_at.into(),
            key.revoked_at.into(),
            key.last_used_at.into(),
        ];
        if work.link.run(ADD, &values).await? == 0 {
            return Ok(Ends::Undo(ChangeResult::AlreadyExists));
        }
        audit::add(work, &change.entry).await?;
        work.notices.push(Notice::Changed);
        Ok(Ends::Keep(ChangeResult::Done(())))
    })
}

pub(crate) async fn by_lookup(link: &mut Link<'_>, lookup: &str) -> Result<Option<Key>, Failure> {
    let row = link.row(BY_LOOKUP, &[lookup.into()]).await?;
    row.as_ref().map(key).transpose()
}

pub(crate) async fn of_project(
    link: &mut Link<'_>,
    project: &ProjectId,
) -> Result<Vec<Key>, Failure> {
    let rows = link.rows(OF_PROJECT, &[project.as_str().into()]).await?;
    rows.iter().map(key).collect()
}

pub(crate) fn revoke<'a>(
    work: &'a mut Work<'_>,
    (project, id, change): &'a (ProjectId, KeyId, Change),
) -> Step<'a, ChangeResult<()>> {
    Box::pin(async move {
        let name = [project.as_str().into(), id.as_str().into()];
        let [project, id] = name;
        let values = [project, id, change.at.into()];
        let Some(row) = work.link.row(REVOKE, &values).await? else {
            let known = work.link.row(IS_THERE, &name).await?.is_some();
            let outcome = if known {
                ChangeResult::Done(())
            } else {
                ChangeResult::NotFound
            };
            return Ok(Ends::Undo(outcome));
        };
        work.touched.push(Touched::Key(row.text(0)?));
        work.notices.push(Notice::Changed);
        audit::add(work, &change.entry).await?;
        Ok(Ends::Keep(ChangeResult::Done(())))
    })
}

pub(crate) fn touch<'a>(work: &'a mut Work<'_>, (id, at): &'a (KeyId, Timestamp)) -> Step<'a, ()> {
    Box::pin(async move {
        let values = [id.as_str().into(), (*at).into()];
        let Some(row) = work.link.row(TOUCH, &values).await? else {
            return Ok(Ends::Undo(()));
        };
        work.touched.push(Touched::Key(row.text(0)?));
        Ok(Ends::Keep(()))
    })
}

fn key(row: &Row) -> Result<Key, Failure> {
    let scope = Scope::parse(&row.text(5)?).ok_or_else(|| Failure::broken("a scope"))?;
    let networks = row.text(6)?;
    let networks: Option<Vec<Network>> = networks.split_whitespace().map(Network::parse).collect();
    Ok(Key {
        id: row.name(0)?,
        project: row.name(1)?,
        name: row.text(2)?,
        lookup: row.text(3)?,
        hash: row.hash(4)?,
        scope,
        networks: networks.ok_or_else(|| Failure::broken("a network"))?,
        created_at: row.time(7)?,
        expires_at: row.maybe_time(8)?,
        revoked_at: row.maybe_time(9)?,
        last_used_at: row.maybe_time(10)?,
    })
}
