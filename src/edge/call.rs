use worker::Env;
use worker::web_sys::{Headers, Request, Response};

use super::database::Database;
use super::identity::Identity;
use super::limits::Limit;
use super::timing::now_ms;
use super::{body, respond};
use crate::domain::{Actor, Source};
use crate::store::Unreadable;
use crate::wire::{self, Answer, LogEntry, Rejection, rejection};

/// One request, what it is answered with the help of, and what will be logged about it.
pub struct Call {
    pub(super) request: Request,
    headers: Headers,
    pub(super) env: Env,
    url: String,
    /// Those that the route takes.
    methods: Option<&'static str>,
    /// The line of the log.
    pub log: LogEntry,
}

impl Call {
    pub(super) fn new(request: Request, env: Env) -> Self {
        let (url, headers) = (request.url(), request.headers());
        Self {
            request,
            headers,
            env,
            url,
            methods: None,
            log: LogEntry { route: "any", ..LogEntry::default() },
        }
    }

    /// The path, percent-encoded as it came.
    pub fn path(&self) -> String {
        wire::path(&self.url).to_owned()
    }

    /// The method.
    pub fn method(&self) -> String {
        self.request.method()
    }

    /// Names the route, for the log, and lets the methods pass that `methods` lists, as an
    /// `Allow` header does.
    ///
    /// # Errors
    ///
    /// [`METHOD_NOT_ALLOWED`](wire::rejection::METHOD_NOT_ALLOWED).
    pub fn allow(&mut self, route: &'static str, methods: &'static str) -> Result<(), Rejection> {
        self.log.route = route;
        let method = self.method();
        self.methods = Some(methods);
        match methods.split(',').any(|allowed| allowed.trim_start() == method) {
            true => Ok(()),
            false => Err(rejection::METHOD_NOT_ALLOWED),
        }
    }

    /// Lets a request pass that no page of another site has made: for every route that
    /// changes something.
    ///
    /// # Errors
    ///
    /// [`CROSS_SITE`](wire::rejection::CROSS_SITE).
    pub fn same_site(&self) -> Result<(), Rejection> {
        let (fetch_site, origin) = (self.header("sec-fetch-site"), self.header("origin"));
        wire::same_site(fetch_site.as_deref(), origin.as_deref(), &self.url)
    }

    /// A header of the request. Several lines of one header come joined by a comma.
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name).ok().flatten()
    }

    /// The bytes of the body.
    ///
    /// # Errors
    ///
    /// [`BODY_TOO_LARGE`](wire::rejection::BODY_TOO_LARGE) when one byte too many is announced
    /// or has come; [`MALFORMED_BODY`](wire::rejection::MALFORMED_BODY) when the body breaks off
    /// or takes too long.
    pub async fn body(&self) -> Result<Vec<u8>, Rejection> {
        body::read(&self.request, self.header("content-length").as_deref()).await
    }

    /// What was read from rows. If the database answered with something that the statements
    /// cannot have produced, the log says so.
    ///
    /// # Errors
    ///
    /// [`OUTCOME_UNKNOWN`](wire::rejection::OUTCOME_UNKNOWN).
    pub fn understood<T>(&mut self, read: Result<T, Unreadable>) -> Result<T, Rejection> {
        read.map_err(|Unreadable(column)| {
            self.log.cause = Some(format!("the column {column} does not hold what the schema promises"));
            rejection::OUTCOME_UNKNOWN
        })
    }

    /// The service's database.
    ///
    /// # Errors
    ///
    /// [`NOT_CONFIGURED`](wire::rejection::NOT_CONFIGURED) without a binding.
    pub fn database(&mut self) -> Result<Database, Rejection> {
        Database::of(&self.env, &mut self.log)
    }

    /// Who asks, by the service's own identity check and by nothing else.
    ///
    /// # Errors
    ///
    /// In this order: [`NOT_CONFIGURED`](wire::rejection::NOT_CONFIGURED) without a secret,
    /// [`ACTOR_REQUIRED`](wire::rejection::ACTOR_REQUIRED) if nothing valid says who it is,
    /// [`ACTOR_CHANGED`](wire::rejection::ACTOR_CHANGED) if `Einmal-Actor` is somebody else.
    pub fn who_asks(&mut self) -> Result<Actor, Rejection> {
        let identity = self.identity()?;
        self.same_actor(&identity)
    }

    pub(super) fn identity(&mut self) -> Result<Identity, Rejection> {
        Identity::of(&self.env, &mut self.log)
    }

    pub(super) fn actor(&mut self, identity: &Identity) -> Result<(Actor, Source), Rejection> {
        let authorization = self.header("authorization");
        let cookie = if authorization.is_none() { self.header("cookie") } else { None };
        let (actor, source) = identity.actor(authorization.as_deref(), cookie.as_deref(), now_ms())?;
        self.log.note_actor(&actor);
        Ok((actor, source))
    }

    pub(super) fn same_actor(&mut self, identity: &Identity) -> Result<Actor, Rejection> {
        let (actor, _) = self.actor(identity)?;
        wire::same_actor(self.header("einmal-actor").as_deref(), &actor)?;
        Ok(actor)
    }

    pub(super) async fn within_address_limit(&self) -> bool {
        match self.header("cf-connecting-ip") {
            Some(address) => Limit::Address.allows(self, &wire::address_block(&address)).await,
            None => true,
        }
    }

    /// The answer to a rejected request.
    pub(super) fn reject(&mut self, why: Rejection) -> Answer {
        why.code.clone_into(&mut self.log.outcome);
        let allow = self.methods.filter(|_| why == rejection::METHOD_NOT_ALLOWED);
        Answer { allow, ..why.answer() }
    }

    pub(super) fn respond(&self, answer: &Answer) -> Response {
        // Only the platform could refuse to make a response.
        respond::to_response(&self.request, answer).unwrap_or_else(|_| Response::error())
    }
}
