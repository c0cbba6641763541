// The shapes that the page's modules hand each other, and what their events and functions mean. For
// whoever reads or edits them: no browser loads this.

import type words from "./words-en.js";

/** All texts of the page, in one language. */
export type Words = typeof words;

/** What is saved in the tab before anything is sent. */
export interface Operation {
  /** Of this form of record. */
  version: 1;
  /** The Idempotency-Key: a UUID version 4. */
  key: string;
  /** The tag under which it was sent: 16 hexadecimal digits. null: nothing was sent yet. */
  actor: string | null;
  workshop: string;
  /** Places. */
  quantity: 1 | 2;
  /**
   * Whether some attempt may have been decided without our hearing of it: set before each attempt,
   * and taken back only by an answer that says that the attempt did nothing.
   */
  unanswered: boolean;
  /** Why it is open: a rejection's code, or a word for what went wrong. */
  reason: string | null;
  /** No further attempt before this time, in milliseconds since 1970. */
  wait_until_ms: number | null;
  /** null: open. */
  result: Result | null;
}

export type Outcome =
  | { status: "reserved"; reservation_id: string; quantity: 1 | 2 }
  | { status: "unavailable" | "abandoned" };

export type Result =
  | Outcome
  | { status: "cancelled"; reservation_id: string; quantity: 1 | 2 }
  | { status: "rejected"; error: string };

/** What the service says of an operation that was decided. */
export interface Document {
  key: string;
  outcome: "reserved" | "unavailable" | "abandoned";
  workshop: string | null;
  /** null: it made none. */
  reservation: { id: string; quantity: 1 | 2; state: "held" | "cancelled" } | null;
}

/** What the machine knows. */
export interface State {
  name:
    | "starting"
    | "ready"
    /** Whether more places are wanted than are held. */
    | "asking"
    | "sending"
    | "open"
    /** Whether the places of a receipt are still held. */
    | "looking"
    | "reserved"
    /** It was reserved; whether it still is, is not known. */
    | "unsure"
    | "cancelled"
    | "unavailable"
    | "abandoned"
    | "rejected"
    | "other"
    | "unprepared";
  /** The tag of the present actor. null: not known (yet). */
  actor: string | null;
  operation: Operation | null;
  /** Of `sending`: asking who we are, what they hold, or asking for places or giving them up. */
  phase: "session" | "list" | "request" | null;
  /** Of `sending`: what for. */
  doing: "reserve" | "abandon" | null;
  /** Counts the requests, so that a late answer is known as late. */
  attempt: number;
  /** `operation.unanswered` before the attempt in flight. */
  unanswered_before: boolean;
  /** Whether the operation in flight was never saved before. */
  fresh: boolean;
  /** Cancellations that were sent and have no definite answer, by the operation's key. */
  cancels: Record<string, Cancel | null>;
  /** Whether the session is being ended. */
  ending: boolean;
  /** Why nothing can be prepared. */
  problem: "storage" | "insecure" | null;
  /** Something to say beside the state; `kept`: the operation was given up too late. */
  notice:
    | "forgotten"
    | "not_forgotten"
    | "kept"
    | "cancelled"
    | "cancel_undone"
    | "cancel_unanswered"
    | null;
}

export interface Cancel {
  sending: boolean;
  /** Whether some attempt may have cancelled without our hearing of it. */
  unanswered: boolean;
  /** Why there is no definite answer, as `Operation.reason`. */
  reason: string | null;
}

/** What the machine is told, by the event's type. */
export interface Events {
  /** The page was opened, or came back from the back/forward cache: what is saved counts. */
  load: {
    operation: Operation | null;
    problem: State["problem"];
    /** The one that the address asks for. null: none. */
    workshop: string | null;
    now_ms: number;
  };
  /** The person reserves, with a key made for this. */
  submit: { key: string; workshop: string; quantity: 1 | 2 };
  /** How many places the actor holds in the workshop, as far as is known. */
  listed: { places: number };
  /** Whether the person wants more than they hold. If not, nothing is sent. */
  asked: { sure: boolean };
  /** The person tries the open operation again. */
  retry: object;
  /** The person stops trying. */
  abandon: object;
  /** The browser refused to keep what must be kept before anything is sent. */
  save_failed: object;
  /** The service said who we are. */
  session: { actor: string };
  /** The service could not be asked who we are. */
  session_failed: object;
  /** What came of the attempt with this number. */
  answer: { attempt: number; answer: Answer; now_ms: number };
  /** The time that the service asked for is over. It enables, and sends nothing. */
  waited: object;
  /** The person asks whether the places are still held. */
  look_up: object;
  /** What a look-up says of an operation. */
  found: { key: string; answer: Answer };
  /** The person cancels the receipt that is shown, or another, and is sure. */
  cancel: { key: string; actor: string };
  /** What came of cancelling. */
  cancel_answer: { key: string; answer: Answer };
  /** After an answer the person begins anew: a new intention. */
  anew: object;
  /** The person puts away what belongs to somebody else. It stays in the tab, beside the way. */
  put_aside: object;
  /** The person makes somebody else's operation, of which nothing was done, their own. */
  take_over: object;
  /** The person wants to be forgotten on this device. */
  forget: object;
  /** The session has ended: nothing of this person stays in the tab. */
  ended: object;
  /** The service did not confirm that the session has ended: everything stays. */
  end_failed: object;
}

export type Event = { [Type in keyof Events]: { type: Type } & Events[Type] }[keyof Events];

/** The next state, and what is to be done. */
export interface Next {
  state: State;
  effects: Effect[];
}

/** An event that means nothing in this state is ignored. */
export type Step = (state: State, event: Event) => Next;

/** What each event does. Nothing: it is ignored. */
export type Steps = {
  [Type in keyof Events]: (state: State, event: Events[Type]) => Next | undefined;
};

/**
 * What is to be done, in order. If a save fails the rest is dropped, and the machine is told
 * `save_failed`.
 */
export type Effect =
  | { type: "save"; operation: Operation }
  | { type: "send"; operation: Operation; attempt: number; doing: "reserve" | "abandon" }
  | { type: "look_up"; operation: Operation }
  | { type: "cancel"; key: string; actor: string }
  | { type: "list"; workshop: string }
  | { type: "ask"; places: number }
  | { type: "wait"; until_ms: number }
  | { type: "session" | "end_session" | "erase" | "put_aside" | "erase_all" };

/** What came of a request about an operation. */
export type Answer =
  | { kind: "outcome"; outcome: Outcome; replayed: boolean }
  | { kind: "document"; document: Document }
  | {
      kind: "rejection";
      error: string;
      retry: "same_key" | "fix_request";
      /** Seconds; 0: none was named. */
      retry_after_s: number;
    }
  | { kind: "lost"; reason: "no_answer" | "unreachable" | "unreadable" | "interrupted" };

/** `api.js`, by function. Those that give an `Answer` never reject; the others do without an answer. */
export interface Api {
  /** Reads the answer about an operation. What is not exactly an answer of the contract is lost. */
  readAnswer(received: import("./client.js").Received): Answer;
  /** One attempt: the operation exactly as it is saved, until `abort` ends the waiting. */
  reserve(operation: Operation, abort: AbortController): Promise<Answer>;
  /** Gives the operation up. */
  abandon(operation: Operation, abort: AbortController): Promise<Answer>;
  /** Gives the places of an operation back. */
  cancel(operation: { key: string; actor: string }): Promise<Answer>;
  /** What was decided about an operation, and whether the places are held. */
  lookUp(operation: Operation): Promise<Answer>;
  /** The actor's, the newest first. */
  reservations(actor: string): Promise<Reservation[]>;
  /** Who we are to the service: the actor's tag. */
  session(): Promise<string>;
  /** Ends the session of this browser, for the actor with this tag. */
  endSession(actor: string | null): Promise<void>;
  /** What is on offer. */
  workshops(): Promise<Workshop[]>;
  /** null: it is not on offer. */
  workshop(id: string): Promise<Workshop | null>;
}

/**
 * The tab's memory, `saved.js`. Every function may throw what the storage throws (it is blocked, or
 * full), but `read`, `receipts` and `aside`, which then find nothing.
 */
export interface Saved {
  /** Writes, reads and removes something of the size of an operation. */
  probe(): void;
  /** null: there is none, or it does not fit. */
  read(): Operation | null;
  save(operation: Operation): void;
  /** Forgets a settled operation. */
  erase(): void;
  /** Puts what is saved out of the way, as it is. */
  putAside(): void;
  /** Puts aside what is no operation of ours. */
  putAsideMisfit(): void;
  /** What was put aside, as it was. */
  aside(): string[];
  eraseAside(): void;
  /** Every receipt of a reservation in this tab, the last one first. */
  receipts(): Operation[];
  eraseAll(): void;
}

/** A workshop as the service tells of it. */
export interface Workshop {
  id: string;
  title: string;
  venue: string | null;
  /** RFC 3339, UTC. */
  starts_at: string | null;
  ends_at: string | null;
  /** IANA name. */
  time_zone: string | null;
  /** Places. */
  capacity: number;
  /** Places. */
  available: number;
  state: "open" | "closed";
}

/** What is known of what is on offer. */
export interface Offer {
  /** The workshop that is shown. null: all of them. */
  id: string | null;
  state: "loading" | "here" | "failed";
  /** null although it is `here`: it is not on offer. */
  workshop: Workshop | null;
  /** All of them, if all are shown. */
  list: Workshop[];
  /** Whether there is no list to go back to. */
  alone: boolean;
}

/** A reservation as the list shows it. */
export interface Reservation {
  key: string;
  actor: string;
  workshop: string;
  id: string;
  quantity: 1 | 2;
  /** null: not known. */
  state: "held" | "cancelled" | null;
}

/** What is known of the actor's reservations. */
export interface Reservations {
  /** The newest first. */
  rows: Reservation[];
  /** Whether the service has yet to say anything of them. */
  loading: boolean;
  /** Whether the service did not tell them when it was asked last. */
  failed: boolean;
}

/** Everything that is shown. */
export interface Model {
  state: State;
  words: Words;
  language: "de" | "en";
  offer: Offer;
  /** Until the next attempt is allowed. */
  seconds: number;
  /** Whether such a wait has just gone by. */
  waited: boolean;
  reservations: Reservations;
  /** What was put aside, as it was. */
  aside: string[];
  /** A workshop's title, or its id. */
  titles: (workshop: string) => string;
}

/** What to do about what the person does; beside it, each button's by its id. */
export interface Actions {
  /** A press on the form's own button, whatever it says. */
  submit(): void;
  /** Cancels one of the reservations in the list, by the operation's key. */
  cancelOne(key: string): void;
  /** The other language. */
  language(): void;
}

/** What is asked before something is done. */
export interface Question {
  title: string;
  /** A paragraph each. */
  texts: string[];
  yes: string;
  no: string;
}

/** When a workshop is, which must have `starts_at`, for a locale and in the workshop's own zone. */
export type WhenOf = (
  workshop: Pick<Workshop, "starts_at" | "ends_at" | "time_zone">,
  locale: string,
) => {
  /** In full; two, if it ends on another one. */
  day: string;
  /** The hours, with the zone's short name. */
  time: string;
  /** The day's number and month, on their own. */
  number: string;
  month: string;
};

/**
 * The short code for the door: the first 8 hexadecimal digits of the reservation's id (32, lower
 * case), in upper case, in two groups: `a5a5a5a5…` is `A5A5-A5A5`. Whoever checks at the door
 * derives it in the same way. It tells the reservations of one workshop apart (32 bits); it is no
 * secret.
 */
export type DoorCode = (reservationId: string) => string;
