// The shapes that the page's modules hand each other. For whoever reads or edits them: no browser
// loads this.

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

/** A workshop as the service tells of it. */
export interface Workshop {
  id: string;
  title: string;
  place: string | null;
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
