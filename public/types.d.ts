// The shapes that the page's modules hand to each other, and what events and functions mean. For
// readers and for `tsc`: no browser loads this file. It is global, so that no module spends bytes on
// importing it. A member with a unit ends in it (`_ms`, `_s`).

/** All texts of the page, in one language: `words-en.js` has the shape, `words-de.js` the same. */
type Words = typeof import("./words-en.js").default;

/** The members of all kinds of a union. */
type MembersOf<Union> = Union extends unknown ? keyof Union : never;

/** A union in which each kind has the members of the others as undefined: any may be read. */
type OneOf<Union, Kind = Union> = Kind extends unknown
  ? Kind & { [Member in Exclude<MembersOf<Union>, keyof Kind>]?: undefined }
  : never;

/** Whether a value is as expected. */
type Fits = (value: unknown) => boolean;

/** A check for each member of a shape. */
type Form<Shape> = { [Member in keyof Shape]: Fits };

// --- The operation ---

/** Saved in the tab before anything is sent. */
interface Operation {
  /** Of the record's format. */
  version: 1;
  /** The idempotency key: a UUID version 4. */
  key: string;
  /** The id of the actor who sent it: 16 hexadecimal digits. null: it was never sent. */
  actor: string | null;
  workshop: string;
  /** Places. */
  quantity: 1 | 2;
  /**
   * Whether an attempt without an answer may have been decided. Set before each attempt, and taken
   * back only by an answer which states that the attempt did nothing.
   */
  unanswered: boolean;
  /** Why it is open: a rejection's code, or a word for what went wrong. */
  reason: string | null;
  /** No further attempt before this time, in milliseconds since 1970. */
  wait_until_ms: number | null;
  /** null: open. */
  result: Result | null;
}

type Reserved = { status: "reserved"; reservation_id: string; quantity: 1 | 2 };
type Refused = { status: "unavailable" | "abandoned" };
type Cancelled = { status: "cancelled"; reservation_id: string; quantity: 1 | 2 };

/** The service's decision, as its first answer has it. */
type Outcome = OneOf<Reserved | Refused>;

/** What came of an operation, as far as this tab knows. */
type Result = OneOf<Reserved | Refused | Cancelled | { status: "rejected"; error: string }>;

/** An operation with a reservation, held or cancelled. */
type Receipt = Operation & { actor: string; result: Reserved | Cancelled };

/** A decided operation, as the service returns it. */
type OperationDocument = { key: string; workshop: string | null } & (
  | { outcome: "reserved"; reservation: HeldOrCancelled }
  | { outcome: "unavailable" | "abandoned"; reservation: null }
);

interface HeldOrCancelled {
  id: string;
  quantity: 1 | 2;
  state: "held" | "cancelled";
}

// --- The machine ---

interface Common {
  /** The id of the present actor. null: not known (yet). */
  actor: string | null;
  /** Counts the requests, so that a late answer is recognized. */
  attempt: number;
  /** `operation.unanswered` before the attempt in flight. */
  unansweredBefore: boolean;
  /** Whether the operation in flight was never saved before. */
  fresh: boolean;
  /** Cancellations without a definite answer, by the operation's key. */
  cancels: Record<string, Cancel | null>;
  /** Whether the session is being ended. */
  ending: boolean;
  /** Why nothing can be sent safely. */
  problem: "storage" | "insecure" | null;
  /** Shown beside the state. `kept`: it was reserved before it could be abandoned. */
  notice:
    | "forgotten"
    | "not_forgotten"
    | "kept"
    | "cancelled"
    | "cancel_undone"
    | "cancel_unanswered"
    | null;
}

/** Of every state but `sending`. */
interface Idle {
  phase: null;
  doing: null;
}

/** A request is in flight, or what must be known before it. */
interface Sending {
  name: "sending";
  operation: Operation;
  /** Reads the session, then what the actor holds, then requests the operation. */
  phase: "session" | "list" | "request";
  doing: "reserve" | "abandon";
}

/** `blocked`: nothing can be sent safely, see `problem`. */
interface Without extends Idle {
  name: "starting" | "ready" | "blocked";
  operation: null;
}

interface Undecided extends Idle {
  /**
   * `confirming`: the person already holds places and is asked whether they want more. `open`: the
   * outcome is unknown.
   */
  name: "confirming" | "open";
  operation: Operation;
}

/** The operation of another actor. */
interface Foreign extends Idle {
  name: "foreign";
  operation: Operation;
}

interface WithReceipt extends Idle {
  /**
   * `checking`: looks up whether the places are still held. `unconfirmed`: they were reserved, and
   * the look-up has failed.
   */
  name: "checking" | "reserved" | "unconfirmed" | "cancelled";
  operation: Receipt;
}

interface WithoutReservation extends Idle {
  name: "unavailable" | "abandoned" | "rejected";
  operation: Operation & { result: Result };
}

type State = Common & (Sending | Without | Undecided | Foreign | WithReceipt | WithoutReservation);

interface Cancel {
  sending: boolean;
  /** Whether an attempt without an answer may have cancelled. */
  unanswered: boolean;
  /** Why there is no definite answer, as `Operation.reason`. */
  reason: string | null;
}

/** What each event carries, by its type. */
interface Events {
  /** The page was opened, or came back from the back/forward cache: the saved record counts. */
  load: {
    operation: Operation | null;
    problem: State["problem"];
    /** The one in the address. null: none. */
    workshop: string | null;
    now_ms: number;
  };
  /** The person reserves; the key is made for this. */
  submit: { key: string; workshop: string; quantity: 1 | 2 };
  /** How many places the actor holds in the workshop, as far as is known. */
  listed: { places: number };
  /** Whether the person wants more than they hold. If not, nothing is sent. */
  confirmed: { sure: boolean };
  /** The person tries the open operation again. */
  retry: object;
  /** The person stops trying. */
  abandon: object;
  /** The browser could not save the operation before an attempt. */
  save_failed: object;
  /** The service has returned the actor of this browser. */
  session: { actor: string };
  /** The actor could not be read. */
  session_failed: object;
  /** The answer to the attempt with this number. */
  answer: { attempt: number; answer: Answer; now_ms: number };
  /** The requested wait is over. It enables the buttons, and sends nothing. */
  waited: object;
  /** The person wants to know whether the places are still held. */
  look_up: object;
  /** The answer to a look-up. */
  found: { key: string; answer: Answer };
  /** The person has confirmed that they cancel this reservation, the one shown or another. */
  cancel: { key: string; actor: string };
  /** The answer to a cancellation. */
  cancel_answer: { key: string; answer: Answer };
  /** The person leaves a settled operation and starts a new one. */
  start_over: object;
  /** The person puts away another actor's operation. Its record stays in the tab. */
  put_aside: object;
  /** The person takes over another actor's operation, of which nothing was done. */
  take_over: object;
  /** The person wants to be forgotten on this device. */
  forget: object;
  /** The session has ended: nothing of this person stays in the tab. */
  ended: object;
  /** The service did not confirm the end of the session: everything stays. */
  end_failed: object;
}

type MachineEvent = { [Type in keyof Events]: { type: Type } & Events[Type] }[keyof Events];

/** The next state, and the effects to carry out in order. */
interface Next {
  state: State;
  effects: Effect[];
}

/** An event without a meaning in this state is ignored. */
type Step = (state: State, event: MachineEvent) => Next;

/**
 * Sends the operation as it is saved, once the actor is known. `sure`: the person has confirmed, or
 * holds nothing in this workshop.
 */
type Attempt = (
  state: State,
  operation: Operation,
  options?: { doing?: Sending["doing"]; fresh?: boolean; sure?: boolean },
) => Next;

/**
 * Settles the operation as the document states, whose values may differ from the saved ones.
 * `notice`: shown if there is a reservation.
 */
type SettleAs = (
  state: State,
  before: Operation,
  document: OperationDocument,
  notice?: State["notice"],
) => Next;

/** What an event does. undefined: nothing. */
type Handler<Type extends keyof Events = keyof Events> = (
  state: State,
  event: Events[Type],
) => Next | undefined;

type Handlers = { [Type in keyof Events]: Handler<Type> };

/** What each effect carries, by its type. After a failed save the rest is dropped: `save_failed`. */
interface Effects {
  save: { operation: Operation };
  send: { operation: Operation; attempt: number; doing: "reserve" | "abandon" };
  look_up: Identity;
  cancel: Identity;
  list: { workshop: string };
  confirm: { places: number; workshop: string };
  wait: { until_ms: number };
  session: object;
  end_session: object;
  erase: object;
  put_aside: object;
  erase_all: object;
}

type Effect = { [Type in keyof Effects]: { type: Type } & Effects[Type] }[keyof Effects];

/** How each effect but `save` is carried out. */
type Runners = {
  [Type in Exclude<keyof Effects, "save">]: (effect: Effects[Type]) => unknown;
};

// --- The service ---

/** An object of JSON, not checked yet. */
type JsonObject = Record<string, unknown>;

/** The status of each rejection's code, by what may be sent after it. */
type Rejections = Record<"fix_request" | "same_key", Record<string, number>>;

/** The answer to a request about an operation. */
type Answer = OneOf<
  | { kind: "outcome"; outcome: Outcome; replayed: boolean }
  | { kind: "document"; document: OperationDocument }
  | {
      kind: "rejection";
      error: string;
      retry: "same_key" | "fix_request";
      /** Seconds; 0: none was named. */
      retry_after_s: number;
    }
  /** As `client.js` has it, and `interrupted`: the page was left. */
  | { kind: "lost"; reason: string }
>;

/** Identifies an operation of an actor. */
interface Identity {
  key: string;
  actor: string;
}

/** The service, `api.js`. Those that return an `Answer` never reject; the others do without one. */
interface Api {
  /** One attempt: the operation exactly as it is saved, until `abort` ends the waiting. */
  reserve(operation: Operation, abort: AbortController): Promise<Answer>;
  /** Abandons the operation. */
  abandon(operation: Operation, abort: AbortController): Promise<Answer>;
  /** Cancels the reservation of an operation. */
  cancel(operation: Identity): Promise<Answer>;
  /** What was decided about an operation, and whether the places are held. */
  lookUp(operation: Identity): Promise<Answer>;
  /** The actor's, the newest first. */
  reservations(actor: string): Promise<Reservation[]>;
  /** The actor's id. */
  session(): Promise<string>;
  /** Ends the session of this browser, for this actor. */
  endSession(actor: string | null): Promise<void>;
  workshops(): Promise<Workshop[]>;
  /** null: it is not on offer. */
  workshop(id: string): Promise<Workshop | null>;
}

/** A workshop, as the service returns it. */
type Workshop = {
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
};

// --- What the page keeps ---

/**
 * The tab's memory, `saved.js`. Every function may throw what the storage throws (it is blocked, or
 * full), except `read`, `receipts` and `aside`, which then find nothing.
 */
interface Saved {
  /** Writes, reads and removes something of the size of an operation. */
  probe(): void;
  /** null: there is none, or it does not fit. */
  read(): Operation | null;
  save(operation: Operation): void;
  /** Forgets a settled operation. */
  erase(): void;
  /** Moves the saved record aside, unchanged. */
  putAside(): void;
  /** Moves the saved record aside if it is not an operation. */
  putAsideMisfit(): void;
  /** What was put aside, unchanged. */
  aside(): string[];
  eraseAside(): void;
  /** Every receipt of a reservation in this tab, the newest first. */
  receipts(): Receipt[];
  eraseAll(): void;
}

/** What is known of the workshops. */
interface Offer {
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
interface Reservation {
  key: string;
  actor: string;
  workshop: string;
  id: string;
  quantity: 1 | 2;
  /** null: not known. */
  state: "held" | "cancelled" | null;
}

/** The actor's reservations, the newest first. */
interface Reservations {
  rows: Reservation[];
  /** Whether they are being read for the first time. */
  loading: boolean;
  /** Whether the last reading failed. */
  failed: boolean;
}

/** What `lists.js` needs of the page. */
interface ListsOptions {
  /** The workshop in the address. */
  address: string | null;
  state(): State;
  /** What the tab has saved, for as long as the service's list is missing. */
  receipts(): Receipt[];
  /** Something has changed. */
  show(): void;
  /** There is only one workshop: its saved operation may be shown. */
  load(): void;
}

/** `lists.js`: what is on offer, and what the actor has reserved. */
interface Lists {
  /** The workshop in the address, or the only one. null: all. */
  wanted(): string | null;
  offer(): Offer;
  /** Whether the offer is of the workshop that is to be shown. */
  isCurrent(): boolean;
  /** A workshop's title, or its id. */
  titleOf(workshop: string): string;
  /** Discards the reservations when the actor changes. */
  setActor(actor: string | null): void;
  /** The actor could not be read, so neither can the reservations. */
  setFailed(): void;
  refresh(): void;
  refreshOffer(): Promise<void>;
  refreshReservations(): Promise<Reservation[] | null>;
  /** How many places the actor holds in a workshop, after a bounded wait. */
  placesIn(workshop: string): Promise<number>;
  /** Whether the actor holds any places. */
  holds(): boolean;
  /** All but the one that is shown. */
  reservations(): Reservations;
}

// --- What is shown ---

/** Everything that is shown. */
interface Model {
  state: State;
  words: Words;
  language: Language;
  offer: Offer;
  /** Until the next attempt is allowed. */
  seconds: number;
  /** Whether such a wait is just over. */
  waited: boolean;
  reservations: Reservations;
  /** What was put aside, unchanged. */
  aside: string[];
  /** A workshop's title, or its id. */
  titles: (workshop: string) => string;
}

type Language = "de" | "en";

/** Each is a language tag, or anything; `browser` in the order of preference. */
type ChooseLanguage = (wishes: {
  address: string | null;
  remembered: string | null;
  browser: readonly string[];
}) => Language;

/** What was shown before. */
type Shown = Pick<State, "name"> & Pick<Model, "language">;

type MoveFocus = (before: State["name"], now: State["name"], wasInDesk: boolean) => void;

/** A row of the actor's reservations. */
type RowOf = (
  reservation: Reservation,
  cancel: Cancel | null,
  title: string,
  words: Words,
) => HTMLElement;

/** What the person does: beside it, each button's action by its id. */
interface Actions {
  /** A press on the form's own button, whatever its label. */
  submit(): void;
  /** Cancels one of the reservations in the list, by the operation's key. */
  cancelOne(key: string): void;
  /** Switches to the other language. */
  language(): void;
}

/** A question to the person before something is done. */
interface Question {
  title: string;
  /** A paragraph each. */
  texts: string[];
  yes: string;
  no: string;
}

/** The elements of index.html that are more than an `HTMLElement`. */
interface Elements {
  forget: HTMLButtonElement;
  form: HTMLFormElement & { quantity: RadioNodeList & Iterable<HTMLInputElement> };
  language: HTMLAnchorElement;
  question: HTMLDialogElement;
  submit: HTMLButtonElement;
}

type MakeElement = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (string | Node)[]
) => HTMLElementTagNameMap[Name];

/** Replaces the children if the data have changed: otherwise the focus stays where it is. */
type Redraw = (id: string, data: unknown, make: () => Node[]) => void;

/** An entry of a description list. */
type MakeFact = (name: string, ...details: (string | Node)[]) => HTMLElement;

type ElementOf<Id extends string> = Id extends keyof Elements ? Elements[Id] : HTMLElement;

/** When a workshop takes place, in a locale and in the workshop's own zone. null: not known yet. */
type WhenOf = (
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
} | null;

/**
 * The short code for the door: the first 8 hexadecimal digits of the reservation's id (32, lower
 * case), in upper case, in two groups: `a5a5a5a5…` is `A5A5-A5A5`. The organiser derives it in the
 * same way. It distinguishes the reservations of one workshop (32 bits); it is not a secret.
 */
type DoorCode = (reservationId: string) => string;
