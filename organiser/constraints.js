// Explains violations of the schema's named constraints. The rules themselves are defined in migrations/
// only; a test checks that each constraint of a workshop is explained here.

import { DatabaseRefused } from "./database.js";
import { Refused } from "./refused.js";

/** @type {Record<string, string>} */
const EXPLANATIONS = {
  workshops_id_form: "the id must be 2 to 41 characters of a-z, 0-9 and -, starting with a letter",
  workshops_title_length: "--title must have 1 to 200 characters",
  workshops_venue_length: "--venue must have 1 to 200 characters, or be none",
  workshops_times_in_order:
    "--ends must not be before --starts, and both must be between 1970 and 9999",
  workshops_end_has_a_start: "a workshop with --ends requires --starts",
  workshops_times_have_a_zone: "a workshop with --starts requires --zone",
  workshops_capacity_is_a_count: "--capacity must be a number from 0 to 1000000",
  workshops_reserved_within_capacity: "the reserved places must not exceed the capacity",
  workshops_places_per_actor_is_a_count: "--per-actor must be at least 1, or none",
  workshops_published_at_is_a_time: "the time of publication must be after 1970",
  workshops_closes_at_is_a_time: "--closes must be after 1970",
  notes_note_length: "--note must have 1 to 500 characters",
};

/** The constraints that are explained. */
export const explained = Object.keys(EXPLANATIONS);

/**
 * Throws an explanation if a constraint of the schema was violated, otherwise `error` itself.
 * @param {Error} error
 * @returns {never}
 */
export function throwExplained(error) {
  if (!(error instanceof DatabaseRefused)) throw error;
  const name = explained.find((constraint) => error.message.includes(constraint));
  throw new Refused(name ? `nothing was changed: ${EXPLANATIONS[name]}` : error.message);
}
