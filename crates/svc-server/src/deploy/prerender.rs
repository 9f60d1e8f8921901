//! Prerenders the pages of a new site, and creates the variants of its images while there are no
//! pages to render.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use svc_site::Site;

use super::deployer::DeployerInner;
use super::state::PrerenderTask;
use super::{Report, priority};

/// Delay after a change, so that requests have the CPU.
const PRERENDER_DELAY: Duration = Duration::from_millis(700);

impl DeployerInner {
    /// Prerenders one site after another, each until it is replaced.
    pub(super) fn prerender_all(&self, tasks: &mpsc::Receiver<PrerenderTask>) {
        priority::lower();
        // Sites with pages to render, and sites with image variants to create.
        let (mut pages, mut images) = (VecDeque::new(), VecDeque::<PrerenderTask>::new());
        loop {
            if pages.is_empty() && images.is_empty() {
                match tasks.recv() {
                    Ok(task) => pages.push_back(task),
                    Err(_) => return,
                }
            }
            pages.extend(tasks.try_iter());
            if let Some(task) = pages.pop_front() {
                thread::sleep(PRERENDER_DELAY);
                if self.state().stopped {
                    return;
                }
                if let Some(site) = task.site.upgrade() {
                    self.prerender(&task, &site);
                }
                images.push_back(task);
            } else if let Some(task) = images.pop_front() {
                pages.extend(self.make_variants(&task, tasks));
                // Continues after the pages were rendered.
                if !pages.is_empty() {
                    images.push_front(task);
                }
            }
            if self.state().stopped {
                return;
            }
        }
    }

    /// Creates the image variants of a site until it is replaced, or another site has pages to
    /// render.
    fn make_variants(
        &self,
        task: &PrerenderTask,
        tasks: &mpsc::Receiver<PrerenderTask>,
    ) -> Option<PrerenderTask> {
        let site = task.site.upgrade()?;
        let next = RefCell::new(None);
        site.make_variants(&|| {
            *next.borrow_mut() = tasks.try_recv().ok();
            next.borrow().is_none() && task.is_current(&site) && !self.state().stopped
        });
        next.into_inner()
    }

    fn prerender(&self, task: &PrerenderTask, site: &Arc<Site>) {
        let proceed = || task.is_current(site) && !self.state().stopped;
        let pages = site.map.routes.len();
        self.state().prerender = Some((task.deployment.clone(), 0, pages));
        site.render_all(1, &|| {
            if let Some((_, page, _)) = &mut self.state().prerender {
                *page += 1;
            }
            proceed()
        });
        self.state().prerender = None;
        if !proceed() {
            return;
        }
        // Diagnostics of pages are only known after rendering.
        let diagnostics = site.page_diagnostics(1);
        if !diagnostics.is_empty() {
            let dir = self.reports_dir(&task.project);
            let mut report = Report::read(&dir, &task.deployment);
            if !report.pages {
                report.pages = true;
                report.add(&diagnostics, Some(site));
                report.write(&dir, &task.deployment);
            }
        }
    }
}
