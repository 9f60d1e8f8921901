//! Inputs of the compiler, and names that it shares with the runtime.

/// Prefix of the element type of an imported MDX file in the engine; the path follows.
pub(crate) const CONTENT: &str = "\0content:";
/// Exports of the runtime; a module imports those that it uses and does not declare.
pub(crate) const RUNTIME: &[&str] = &[
    "Children",
    "Fragment",
    "React",
    "Suspense",
    "cloneElement",
    "createContext",
    "createRef",
    "forwardRef",
    "h",
    "isValidElement",
    "memo",
    "startTransition",
    "useCallback",
    "useContext",
    "useDebugValue",
    "useDeferredValue",
    "useEffect",
    "useId",
    "useImperativeHandle",
    "useInsertionEffect",
    "useLayoutEffect",
    "useMemo",
    "useReducer",
    "useRef",
    "useState",
    "useSyncExternalStore",
    "useTransition",
];

/// Target of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Import {
    /// A module, by URL.
    Module(String),
    /// An MDX file: its default export is its content; other exports come from its module.
    Content {
        /// Path of the file.
        path: String,
        /// URL of its module.
        module: String,
    },
    /// The runtime, for `react`.
    Runtime,
    /// A package, or a file that does not exist.
    Missing,
}

/// Inputs of the compiler besides the source.
pub(crate) struct CompileOptions<'a> {
    /// URL of the runtime.
    pub(crate) runtime: &'a str,
    /// Resolves a specifier.
    pub(crate) resolve: &'a (dyn Fn(&str) -> Import + Sync),
    /// Whether there is a built-in component of this name.
    pub(crate) is_part: &'a (dyn Fn(&str) -> bool + Sync),
}
