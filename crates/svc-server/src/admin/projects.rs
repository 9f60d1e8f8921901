//! Saves the projects of the settings in the store.

use svc_admin_api::audit::{Actor, Initiator};
use svc_admin_api::project::{AgentSource, ProjectRecord, ProjectStore};
use svc_admin_api::{Change, Clock, ProjectId, StoreError};

use crate::Settings;

/// Records of the projects of some settings.
pub(super) fn from_settings(settings: &Settings, clock: &dyn Clock) -> Vec<ProjectRecord> {
    let model = settings.agent.as_ref().map(|agent| &agent.model);
    let known = settings.projects.iter().filter_map(|project| {
        let agent = project.agent.as_ref().zip(model);
        Some(ProjectRecord {
            id: ProjectId::parse(&project.id)?,
            name: project.id.clone(),
            agent: agent.map(|(agent, model)| AgentSource {
                repository: agent.repository.clone(),
                branch: agent.branch.clone(),
                model: model.clone(),
            }),
            created_at: clock.now(),
        })
    });
    known.collect()
}

/// Saves projects in the store. Unchanged projects are not written.
///
/// # Errors
/// If the store fails.
pub(super) async fn save_projects(
    store: &impl ProjectStore,
    clock: &dyn Clock,
    projects: &[ProjectRecord],
) -> Result<(), StoreError> {
    let shell = Initiator {
        actor: Actor::Cli,
        from: None,
    };
    for project in projects {
        let known = store.project(&project.id).await?;
        let same = known
            .is_some_and(|known| (&known.name, &known.agent) == (&project.name, &project.agent));
        if !same {
            let id = project.id.as_str();
            let change = Change::new(&shell, clock.now(), &project.id, "putProject", Some(id));
            store.put_project(project, &change).await?;
        }
    }
    Ok(())
}
