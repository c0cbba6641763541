//! One request on its way through the Worker: what a route needs to answer it.

use worker::Env;
use worker::web_sys::{Headers, Request, Response};

use super::authenticate::Secrets;
use super::d1::ObjectRow;
use super::database::Database;
use super::limits::Limit;
use super::timing::now_ms;
use super::{body, respond};
use crate::domain::Actor;
use crate::store::{Batch, Unreadable};
use crate::wire::{self, Answer, Caller, LogEntry, Rejection, rejection};

/// One request, the bindings to answer it with, and its line of log.
pub struct Call {
    pub(super) request: Request,
    headers: Headers,
    pub(super) env: Env,
    url: String,
    /// Set if the Worker authenticated the request itself.
    actor: Option<Actor>,
    /// The methods of the route.
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
            actor: None,
            methods: None,
            log: LogEntry { route: "any", ..LogEntry::default() },
        }
    }

    /// The path, percent-encoded as received.
    pub fn path(&self) -> String {
        wire::path(&self.url).to_owned()
    }

    /// The method.
    pub fn method(&self) -> String {
        self.request.method()
    }

    /// Names the route in the log, and rejects methods that `methods` does not list (in the form of an
    /// `Allow` header) and cross-site requests that would change something.
    ///
    /// # Errors
    ///
    /// [`METHOD_NOT_ALLOWED`](wire::rejection::METHOD_NOT_ALLOWED) and
    /// [`CROSS_SITE`](wire::rejection::CROSS_SITE).
    pub fn allow(&mut self, route: &'static str, methods: &'static str) -> Result<(), Rejection> {
        self.log.route = route;
        let method = self.method();
        self.methods = Some(methods);
        if !methods.split(',').any(|allowed| allowed.trim_start() == method) {
            return Err(rejection::METHOD_NOT_ALLOWED);
        }
        match method.as_str() {
            "GET" | "HEAD" => Ok(()),
            _ => self.reject_cross_site(),
        }
    }

    /// Rejects cross-site requests (CSRF check). [`Self::allow`] does it for every method that
    /// changes something; the route of a GET that sets a cookie must call it.
    ///
    /// # Errors
    ///
    /// [`CROSS_SITE`](wire::rejection::CROSS_SITE).
    pub fn reject_cross_site(&self) -> Result<(), Rejection> {
        let (fetch_site, origin) = (self.header("sec-fetch-site"), self.header("origin"));
        wire::reject_cross_site(fetch_site.as_deref(), origin.as_deref(), &self.url)
    }

    /// A header of the request. Several lines of one header are joined by a comma.
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name).ok().flatten()
    }

    /// The bytes of the body.
    ///
    /// # Errors
    ///
    /// [`BODY_TOO_LARGE`](wire::rejection::BODY_TOO_LARGE) if the body, or its `Content-Length`,
    /// exceeds the maximum; [`MALFORMED_BODY`](wire::rejection::MALFORMED_BODY) if the body is cut off
    /// or takes too long.
    pub async fn body(&self) -> Result<Vec<u8>, Rejection> {
        body::read(&self.request, self.header("content-length").as_deref()).await
    }

    /// Runs a batch and decodes its rows. For a row that cannot be decoded, the log has the column.
    ///
    /// # Errors
    ///
    /// [`NOT_CONFIGURED`](wire::rejection::NOT_CONFIGURED),
    /// [`INTERNAL_ERROR`](wire::rejection::INTERNAL_ERROR) and
    /// [`OUTCOME_UNKNOWN`](wire::rejection::OUTCOME_UNKNOWN).
    pub async fn query<T>(
        &mut self,
        batch: impl Fn(u32) -> Batch,
        read: impl FnOnce(&[ObjectRow]) -> Result<T, Unreadable>,
    ) -> Result<T, Rejection> {
        let rows = self.database()?.run(&batch, &mut self.log).await?;
        read(&rows).map_err(|Unreadable(column)| {
            self.log.cause = Some(format!("the column {column} does not hold what the schema promises"));
            rejection::OUTCOME_UNKNOWN
        })
    }

    /// Runs a batch that may make a new decision. Over the actor's limit it runs `look_up` instead, which
    /// makes none but still returns an existing receipt. `read` returns `None` for an undecided operation.
    ///
    /// # Errors
    ///
    /// Those of [`Self::query`], and over the limit [`RATE_LIMITED`](wire::rejection::RATE_LIMITED)
    /// instead of `None`.
    pub async fn decide<T>(
        &mut self,
        actor: &Actor,
        decide: impl Fn(u32) -> Batch,
        look_up: impl Fn() -> Batch,
        read: impl FnOnce(&[ObjectRow]) -> Result<Option<T>, Unreadable>,
    ) -> Result<Option<T>, Rejection> {
        if Limit::Actor.allows(self, actor.as_str()).await {
            return self.query(decide, read).await;
        }
        let found = self.query(|_| look_up(), read).await?;
        found.map(Some).ok_or(rejection::RATE_LIMITED)
    }

    /// The service's database.
    ///
    /// # Errors
    ///
    /// [`NOT_CONFIGURED`](wire::rejection::NOT_CONFIGURED) without a binding.
    pub fn database(&mut self) -> Result<Database, Rejection> {
        Database::of(&self.env, &mut self.log)
    }

    /// Authenticates the request by a session cookie or a bearer token, unless
    /// [`Self::authenticate_as`] was called.
    ///
    /// # Errors
    ///
    /// In this order: [`NOT_CONFIGURED`](wire::rejection::NOT_CONFIGURED) without a database or a
    /// secret, [`ACTOR_REQUIRED`](wire::rejection::ACTOR_REQUIRED), whose reason is logged,
    /// [`ACTOR_CHANGED`](wire::rejection::ACTOR_CHANGED) if `Einmal-Actor` is the id of another actor.
    pub fn authenticate(&mut self) -> Result<Actor, Rejection> {
        self.database()?;
        let actor = match self.actor.clone() {
            Some(actor) => actor,
            None => {
                let secrets = self.secrets()?;
                self.caller(&secrets)?.actor
            }
        };
        wire::check_actor_id(self.header("einmal-actor").as_deref(), &actor)?;
        Ok(actor)
    }

    /// Sets the actor of the request, for a Worker with its own authentication.
    ///
    /// Call it before [`operate`](super::operate), with an actor that the Worker has authenticated.
    pub fn authenticate_as(&mut self, actor: Actor) {
        self.log.set_actor(&actor);
        self.actor = Some(actor);
    }

    pub(super) fn secrets(&mut self) -> Result<Secrets, Rejection> {
        Secrets::of(&self.env, &mut self.log)
    }

    pub(super) fn caller(&mut self, secrets: &Secrets) -> Result<Caller, Rejection> {
        let authorization = self.header("authorization");
        let cookie = if authorization.is_none() { self.header("cookie") } else { None };
        let (authorization, cookie) = (authorization.as_deref(), cookie.as_deref());
        let caller = wire::authenticate(authorization, cookie, secrets.as_slice(), now_ms() / 1_000);
        let caller = caller.map_err(|reason| {
            self.log.cause = Some(reason.text().to_owned());
            rejection::ACTOR_REQUIRED
        })?;
        self.log.set_actor(&caller.actor);
        Ok(caller)
    }

    pub(super) async fn within_address_limit(&self) -> bool {
        match self.header("cf-connecting-ip") {
            Some(address) => Limit::Address.allows(self, &wire::address_block(&address)).await,
            None => true,
        }
    }

    /// The answer to a rejected request.
    pub(super) fn reject(&mut self, rejection: Rejection) -> Answer {
        rejection.code.clone_into(&mut self.log.outcome);
        let allow = self.methods.filter(|_| rejection == rejection::METHOD_NOT_ALLOWED);
        Answer { allow, ..rejection.answer() }
    }

    pub(super) fn respond(&self, answer: &Answer) -> Response {
        // Only the platform could fail to create a response.
        respond::to_response(&self.request, answer).unwrap_or_else(|_| Response::error())
    }
}
