// What the schema's named constraints mean to whoever typed the command. The rules themselves
// stand in migrations/ and nowhere else; a test asks that each one of a workshop has words here.

import { DatabaseRefused } from "./database.js";
import { Refused } from "./refused.js";

const WORDS = {
  workshops_id_form: "the id has 2 to 41 of a-z, 0-9 and -, a letter first",
  workshops_title_length: "--title has 1 to 200 characters",
  workshops_venue_length: "--venue has 1 to 200 characters, or is none",
  workshops_times_in_order: "--ends comes not before --starts, and both lie from 1970 to 9999",
  workshops_end_has_a_start: "a workshop with --ends has --starts",
  workshops_times_have_a_zone: "a workshop with --starts has --zone",
  workshops_capacity_is_a_count: "--capacity is a number from 0 to 1000000",
  workshops_reserved_within_capacity: "no more places are reserved than there are",
  workshops_places_per_actor_is_a_count: "--per-actor is at least 1, or none",
  workshops_published_at_is_a_time: "it is published after 1970",
  workshops_closes_at_is_a_time: "--closes is after 1970",
  notes_note_length: "--note has 1 to 500 characters",
};

/** The names that have words. */
export const explained = Object.keys(WORDS);

/** Throws what a person can act upon, if `error` is a rule of the schema; otherwise `error`. */
export function inWords(error) {
  if (!(error instanceof DatabaseRefused)) throw error;
  const name = explained.find((constraint) => error.message.includes(constraint));
  throw new Refused(name ? `nothing was changed: ${WORDS[name]}` : error.message);
}
