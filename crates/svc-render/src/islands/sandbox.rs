//! Runs components on the server: QuickJS without access to files, network or clock.
//!
//! A module can import only the modules that were passed to it. Resources are limited; when a limit
//! is exceeded, the engine is dropped, so that the next component starts with a clean one.
//!
//! The engine checks for interruption between its own steps, but not inside native functions.
//! Components therefore run behind a [`ComponentEngine`], which can be another process that can be
//! killed.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Error, Module, Runtime};
use serde::{Deserialize, Serialize};

/// Maximum memory of the engine in bytes.
const MAX_MEMORY: usize = 32 << 20;
/// Maximum stack of the engine in bytes.
const MAX_JS_STACK: usize = 768 << 10;
const STACK_SIZE: usize = 4 << 20;
/// Number of interrupt checks before a component is stopped; one check per 10,000 loop iterations
/// or calls. This takes about a tenth of a second on a typical machine. A count and not a time, so
/// that the output does not depend on the machine.
const MAX_TURNS: u32 = 300;
/// Maximum run time, for work that the interrupt count does not cover.
const RUN_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum size of the output of one component in bytes.
const MAX_OUTPUT: usize = 4 << 20;

/// Runs components of pages on the server.
pub trait ComponentEngine: fmt::Debug + Send + Sync {
    /// Starts the session of a page; `None` if no capacity is available.
    fn session(&self) -> Option<Box<dyn ComponentSession>>;
}

/// The session of one page.
pub trait ComponentSession: fmt::Debug {
    /// Passes a request to the [`ComponentRunner`] of this session and returns its response.
    ///
    /// # Errors
    ///
    /// Fails if the runner was stopped; the session is then closed.
    fn call(&mut self, request: &[u8]) -> Result<Vec<u8>, SessionError>;
}

/// Reason why a session was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionError {
    /// The component exceeded its time limit and was stopped.
    Timeout,
    /// The component exceeded its memory limit.
    Memory,
    /// The runner has exited.
    Lost,
}

/// Error of a component that was not rendered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ComponentError {
    /// Time limit exceeded.
    Time,
    /// Memory limit exceeded.
    Memory,
    /// Recursion limit exceeded.
    Depth,
    /// Output size limit exceeded.
    Size,
    /// The component threw an exception, or the module is not valid.
    Thrown {
        /// Message of the exception.
        message: String,
        /// Module URL and line; `None` if unknown.
        location: Option<(String, u32)>,
    },
    /// No engine is available.
    Engine,
}

/// Error of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RenderError {
    /// The component failed; the session can be used further.
    Component(ComponentError),
    /// The session is closed.
    Session(SessionError),
}

impl From<RenderError> for ComponentError {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Component(failure) => failure,
            RenderError::Session(SessionError::Timeout) => Self::Time,
            RenderError::Session(SessionError::Memory) => Self::Memory,
            RenderError::Session(SessionError::Lost) => Self::Engine,
        }
    }
}

/// A request to render one component.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Modules that the component requires: URL and code.
    pub(crate) modules: Vec<(String, String)>,
    /// URL of the component's module.
    pub(crate) entry: String,
    /// URL of the runtime.
    pub(crate) runtime: String,
    /// Exported name of the component.
    pub(crate) name: String,
    /// Number of the island on the page.
    pub(crate) number: u32,
    /// Props as JSON.
    pub(crate) props: String,
    /// URLs of the modules of components that are passed as props.
    pub(crate) prop_modules: Vec<String>,
}

/// Renders a component. The result is the list of steps as JSON that `runtime/server.js` describes.
pub(super) fn render(session: &mut dyn ComponentSession, job: &Job) -> Result<String, RenderError> {
    let lost = |_| RenderError::Session(SessionError::Lost);
    let request = serde_json::to_vec(job).map_err(lost)?;
    let response = session.call(&request).map_err(RenderError::Session)?;
    let reply: Result<String, ComponentError> = serde_json::from_slice(&response).map_err(lost)?;
    reply.map_err(RenderError::Component)
}

/// Runs the components of one page on the calling thread.
#[derive(Default)]
pub struct ComponentRunner {
    table: ModuleMap,
    engine: Option<Engine>,
}

impl fmt::Debug for ComponentRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ComponentRunner")
    }
}

impl ComponentRunner {
    /// Handles a request of a [`ComponentSession`]. It may not return in time, because native
    /// functions of the engine are not interrupted.
    pub fn respond(&mut self, request: &[u8]) -> Vec<u8> {
        let reply = match serde_json::from_slice::<Job>(request) {
            Ok(job) => self.render(&job),
            Err(_) => Err(ComponentError::Engine),
        };
        serde_json::to_vec(&reply).unwrap_or_default()
    }

    fn render(&mut self, job: &Job) -> Result<String, ComponentError> {
        self.table
            .0
            .borrow_mut()
            .extend(job.modules.iter().cloned());
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::new(&self.table).map_err(|_| ComponentError::Engine)?,
        };
        let reply = engine.render(job);
        if matches!(reply, Ok(_) | Err(ComponentError::Thrown { .. })) {
            self.engine = Some(engine);
        }
        reply
    }
}

/// Runs components in this process. A component that blocks in a native function of the engine
/// cannot be stopped; use it only for sites of trusted authors.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalEngine;

impl ComponentEngine for LocalEngine {
    fn session(&self) -> Option<Box<dyn ComponentSession>> {
        let (requests, todo) = channel::<Vec<u8>>();
        let (sender, responses) = channel();
        let task = move || {
            let mut runner = ComponentRunner::default();
            for request in todo {
                if sender.send(runner.respond(&request)).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("components".to_owned());
        thread.stack_size(STACK_SIZE).spawn(task).ok()?;
        Some(Box::new(LocalSession {
            requests,
            responses,
        }))
    }
}

#[derive(Debug)]
struct LocalSession {
    requests: Sender<Vec<u8>>,
    responses: Receiver<Vec<u8>>,
}

impl ComponentSession for LocalSession {
    fn call(&mut self, request: &[u8]) -> Result<Vec<u8>, SessionError> {
        let result = self.requests.send(request.to_vec());
        result.map_err(|_| SessionError::Lost)?;
        self.responses.recv().map_err(|_| SessionError::Lost)
    }
}

struct Engine {
    context: Context,
    /// Remaining interrupt checks, and the deadline.
    turns: Rc<Cell<u32>>,
    deadline: Rc<Cell<Instant>>,
}

impl Engine {
    fn new(table: &ModuleMap) -> Result<Self, Error> {
        let runtime = Runtime::new()?;
        runtime.set_memory_limit(MAX_MEMORY);
        runtime.set_max_stack_size(MAX_JS_STACK);
        runtime.set_loader(table.clone(), table.clone());
        let turns = Rc::new(Cell::new(0_u32));
        let until = Rc::new(Cell::new(Instant::now()));
        let (left, end) = (Rc::clone(&turns), Rc::clone(&until));
        runtime.set_interrupt_handler(Some(Box::new(move || {
            let Some(rest) = left.get().checked_sub(1) else {
                return true;
            };
            left.set(rest);
            Instant::now() > end.get()
        })));
        let context = Context::full(&runtime)?;
        Ok(Self {
            context,
            turns,
            deadline: until,
        })
    }

    fn render(&self, job: &Job) -> Result<String, ComponentError> {
        self.turns.set(MAX_TURNS);
        self.deadline.set(Instant::now() + RUN_TIMEOUT);
        let text = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let mut script = format!(
            "import*as m from{};import{{$render}}from{};const all={{}};",
            text(&job.entry),
            text(&job.runtime),
        );
        for (index, url) in job.prop_modules.iter().enumerate() {
            let url = text(url);
            script.push_str(&format!(
                "import*as m{index} from{url};all[{url}]=m{index};"
            ));
        }
        script.push_str(&format!(
            "globalThis.$out=$render(m[{}],{},{},all);",
            text(&job.name),
            job.number,
            text(&job.props),
        ));
        let out: String = self.context.with(|ctx| {
            let run = || {
                Module::evaluate(ctx.clone(), "$entry", script)?.finish::<()>()?;
                let out: String = ctx.globals().get("$out")?;
                ctx.globals().remove("$out")?;
                Ok::<String, Error>(out)
            };
            run().catch(&ctx).map_err(|error| self.failure(&error))
        })?;
        if out.len() > MAX_OUTPUT {
            return Err(ComponentError::Size);
        }
        Ok(out)
    }

    fn failure(&self, error: &CaughtError<'_>) -> ComponentError {
        let (message, stack) = match error {
            CaughtError::Exception(exception) => (
                exception.message().unwrap_or_default(),
                exception.stack().unwrap_or_default(),
            ),
            // The engine throws `null` if there is no memory left for the error.
            CaughtError::Value(value) if value.is_null() => return ComponentError::Memory,
            CaughtError::Value(value) => {
                let text = value.as_string().and_then(|text| text.to_string().ok());
                (
                    text.unwrap_or_else(|| "it threw a value that is no error".to_owned()),
                    String::new(),
                )
            }
            CaughtError::Error(Error::Allocation) => return ComponentError::Memory,
            CaughtError::Error(Error::WouldBlock) => {
                ("its module waits for something".to_owned(), String::new())
            }
            CaughtError::Error(error) => (error.to_string(), String::new()),
        };
        match message.as_str() {
            "interrupted" => ComponentError::Time,
            "out of memory" => ComponentError::Memory,
            "Maximum call stack size exceeded" | "stack overflow" => ComponentError::Depth,
            // The exception of an exhausted heap may have no message.
            "" if self.turns.get() == 0 => ComponentError::Time,
            "" => ComponentError::Memory,
            _ => ComponentError::Thrown {
                message: message.chars().take(300).collect(),
                location: stack_location(&stack),
            },
        }
    }
}

/// The first line of a stack trace that names a module: `    at Name (url:12:3)`.
fn stack_location(stack: &str) -> Option<(String, u32)> {
    stack.lines().find_map(|line| {
        let inner = line.rsplit(['(', ' ']).next()?.trim_end_matches(')');
        let (rest, last) = inner.rsplit_once(':')?;
        let (url, number) = match rest.rsplit_once(':') {
            Some((url, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                (url, number)
            }
            _ => (rest, last),
        };
        let own = url.contains("/_svc/islands/");
        own.then(|| Some((url.to_owned(), number.parse().ok()?)))?
    })
}

/// The modules of the page. Other modules cannot be imported.
#[derive(Clone, Default)]
struct ModuleMap(Rc<RefCell<HashMap<String, String>>>);

impl Resolver for ModuleMap {
    fn resolve<'js>(
        &mut self,
        _ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        if self.0.borrow().contains_key(name) {
            Ok(name.to_owned())
        } else {
            Err(Error::new_resolving(base, name))
        }
    }
}

impl Loader for ModuleMap {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        let source = self.0.borrow().get(name).cloned();
        match source {
            Some(source) => Module::declare(ctx.clone(), name, source),
            None => Err(Error::new_loading(name)),
        }
    }
}
