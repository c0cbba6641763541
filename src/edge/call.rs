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

/// One request, what it is answered with the help of, and what will be logged about it.
pub struct Call {
    pub(super) request: Request,
    headers: Headers,
    pub(super) env: Env,
    url: String,
    /// The one that the Worker has authenticated itself.
    actor: Option<Actor>,
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
            actor: None,
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

    /// Names the route, for the log, and rejects what it does not take: methods that `methods`
    /// does not list (as an `Allow` header does), and cross-site requests that would change something.
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
    /// changes something; a GET that sets a cookie calls it too.
    ///
    /// # Errors
    ///
    /// [`CROSS_SITE`](wire::rejection::CROSS_SITE).
    pub fn reject_cross_site(&self) -> Result<(), Rejection> {
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

    /// Runs a batch that reads, and reads its rows. A row that the statements cannot have produced
    /// goes to the log.
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

    /// Runs a batch that may make a new decision: over the actor's limit, the one that only reads what
    /// was decided. `read` gives `None` if nothing was.
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

    /// Authenticates the request: by a session's cookie or a bearer token, unless
    /// [`Self::authenticate_as`] was called.
    ///
    /// # Errors
    ///
    /// In this order: [`NOT_CONFIGURED`](wire::rejection::NOT_CONFIGURED) without a database or a
    /// secret, [`ACTOR_REQUIRED`](wire::rejection::ACTOR_REQUIRED), for which the log has the
    /// reason, [`ACTOR_CHANGED`](wire::rejection::ACTOR_CHANGED) if `Einmal-Actor` is another actor.
    pub fn authenticate(&mut self) -> Result<Actor, Rejection> {
        self.database()?;
        let actor = match self.actor.clone() {
            Some(actor) => actor,
            None => {
                let secrets = self.secrets()?;
                self.caller(&secrets)?.actor
            }
        };
        wire::same_actor(self.header("einmal-actor").as_deref(), &actor)?;
        Ok(actor)
    }

    /// Brings an identity of the Worker's own: from here on, the request is this actor's.
    ///
    /// Call it before [`operate`](super::operate), with an actor that the Worker has authenticated.
    pub fn authenticate_as(&mut self, actor: Actor) {
        self.log.note_actor(&actor);
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
        self.log.note_actor(&caller.actor);
        Ok(caller)
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
