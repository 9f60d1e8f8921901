//! Directories that are watched.

#[cfg(target_os = "linux")]
mod per_dir {
    //! Watched one by one, because directories outside of the site may contain very many others.

    use std::fs;
    use std::path::{Path, PathBuf};

    use notify::{RecursiveMode, Watcher as _};
    use svc_site::{Changes, IgnoreRules};

    use crate::watch::DirWatcher;

    /// Maximum number of watched directories.
    const MAX_DIRS: usize = 200_000;

    impl DirWatcher {
        pub(in crate::watch) fn begin(&mut self) {
            let root = self.root.clone();
            self.add(root, &IgnoreRules::load(&self.root));
        }

        /// Watches new directories and stops watching removed ones.
        pub(in crate::watch) fn follow(&mut self, changes: &Changes) {
            if self.watcher.is_none() {
                return;
            }
            let ignored = IgnoreRules::load(&self.root);
            let Changes::Paths(paths) = changes else {
                // Events were lost: watch all directories again.
                self.forget(&self.root.clone());
                self.begin();
                return;
            };
            // Other directories may be ignored now.
            if paths.iter().any(|path| path.ends_with("ignore")) {
                self.begin();
            }
            for path in paths {
                let path = self.root.join(path);
                if self.dirs.contains(&path) {
                    // Another directory may have the same name.
                    self.forget(&path);
                }
                if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir()) {
                    self.add(path, &ignored);
                }
            }
        }

        /// Watches a directory and its subdirectories.
        fn add(&mut self, dir: PathBuf, ignored: &IgnoreRules) {
            let mut queue = vec![dir];
            while let Some(dir) = queue.pop() {
                let name = dir.strip_prefix(&self.root).ok().and_then(Path::to_str);
                let Some(name) = name else {
                    continue;
                };
                if (!name.is_empty() && ignored.skips_dir(name)) || self.dirs.len() >= MAX_DIRS {
                    continue;
                }
                let Some(watcher) = &mut self.watcher else {
                    return;
                };
                if !self.dirs.contains(&dir) {
                    match watcher.watch(&dir, RecursiveMode::NonRecursive) {
                        Ok(()) => {}
                        // It was removed meanwhile; the event of its parent reports that.
                        Err(_) if !dir.is_dir() => continue,
                        Err(error) => {
                            self.fall_back_to_polling(&error);
                            return;
                        }
                    }
                    self.dirs.insert(dir.clone());
                }
                let entries = fs::read_dir(&dir).into_iter().flatten().flatten();
                let subdirs =
                    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
                queue.extend(subdirs.map(|entry| entry.path()));
            }
        }

        fn forget(&mut self, dir: &Path) {
            let gone: Vec<PathBuf> = self
                .dirs
                .iter()
                .filter(|known| known.starts_with(dir))
                .cloned()
                .collect();
            for dir in gone {
                if let Some(watcher) = &mut self.watcher {
                    // The operating system stops watching removed directories itself.
                    let _ = watcher.unwatch(&dir);
                }
                self.dirs.remove(&dir);
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod recursive {
    //! Recursive watching is cheap on these systems.

    use notify::{RecursiveMode, Watcher as _};
    use svc_site::Changes;

    use crate::watch::DirWatcher;

    impl DirWatcher {
        pub(in crate::watch) fn begin(&mut self) {
            let Some(watcher) = &mut self.watcher else {
                return;
            };
            if let Err(error) = watcher.watch(&self.root, RecursiveMode::Recursive) {
                self.fall_back_to_polling(&error);
            }
        }

        #[expect(clippy::unused_self, reason = "does work on other systems")]
        pub(in crate::watch) fn follow(&mut self, _: &Changes) {}
    }
}
