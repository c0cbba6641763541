// The shapes that the organiser's modules share.

export type SqlValue = string | number | null;

/** Runs SQL statements as one transaction; returns the rows of each. */
export interface Database {
  // biome-ignore lint/suspicious/noExplicitAny: a row has the columns of its statement.
  run(statements: string[]): Promise<Record<string, any>[][]>;
}

/** A row of `read_workshops.sql`. */
export interface WorkshopRow {
  id: string;
  title: string;
  venue: string | null;
  starts_at_ms: number | null;
  ends_at_ms: number | null;
  time_zone: string | null;
  closes_at_ms: number | null;
  published_at_ms: number | null;
  capacity: number;
  reserved: number;
  available: number;
  places_per_actor: number | null;
  state: "not published" | "open" | "full" | "closed" | "over";
}

/** The options that `add` and `set` share. */
export interface Settings {
  title?: string;
  capacity?: string;
  starts?: string;
  ends?: string;
  zone?: string;
  venue?: string;
  closes?: string;
  "per-actor"?: string;
}

/** What a verb is run with. */
export interface Invocation<Values = object> {
  operands: string[];
  values: Values & { json?: boolean; yes?: boolean };
  database: Database;
  now_ms: number;
  /** Throws `Refused` unless the question is answered with yes. */
  requireConfirmation: (question: string) => Promise<void>;
  /** Formats a command of this program. */
  hint: (...words: string[]) => string;
}

/** The result of a verb, as JSON and as text. */
export interface Result {
  json: unknown;
  text: string;
  exitCode?: number;
}

export interface Verb {
  help: string;
  options: Record<string, { type: "string" | "boolean"; short?: string }>;
  /** The names of the operands; an optional one is in brackets. */
  operands: string[];
  // biome-ignore lint/suspicious/noExplicitAny: `options` determines the values of each verb.
  run(invocation: Invocation<any>): Promise<Result>;
}
