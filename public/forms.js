// The exact shapes of the service's answers and of saved records.

import { isActorId, isKey } from "./client.js";

/** @param {Fits} fits @returns {Fits} */
const orNull = (fits) => (value) => value === null || fits(value);

/** @param {RegExp} pattern @returns {Fits} */
const matches = (pattern) => (value) => typeof value === "string" && pattern.test(value);

/** @param {unknown[]} values @returns {Fits} */
const oneOf =
  (...values) =>
  (value) =>
    values.includes(value);

const isWord = matches(/^[a-z_]{1,40}$/);
const isQuantity = oneOf(1, 2);
const isWorkshop = matches(/^[a-z][a-z0-9-]{1,40}$/);

/** @param {unknown} value @returns {value is string} */
export const isWorkshopId = (value) => isWorkshop(value);

/** @type {Form<HeldOrCancelled>} */
export const reservationForm = {
  id: matches(/^[0-9a-f]{32}$/),
  quantity: isQuantity,
  state: oneOf("held", "cancelled"),
};
export const reservedForm = {
  status: oneOf("reserved"),
  reservation_id: reservationForm.id,
  quantity: isQuantity,
};
export const refusedForm = { status: oneOf("unavailable", "abandoned") };

/** @type {Form<Result>[]} */
const resultForms = [
  reservedForm,
  { ...reservedForm, status: oneOf("cancelled") },
  refusedForm,
  { status: oneOf("rejected"), error: isWord },
];

/** @type {Form<Operation>} */
export const operationForm = {
  version: oneOf(1),
  key: isKey,
  actor: orNull(isActorId),
  workshop: isWorkshop,
  quantity: isQuantity,
  unanswered: oneOf(true, false),
  reason: orNull(isWord),
  wait_until_ms: orNull(Number.isSafeInteger),
  result: orNull((value) => resultForms.some((form) => hasForm(value, form))),
};

/** @param {unknown} value @param {Record<string, Fits>} form */
export function hasForm(value, form) {
  if (typeof value !== "object" || value === null) return false;
  const members = new Map(Object.entries(value));
  const checks = Object.entries(form);
  return (
    members.size === checks.length &&
    checks.every(([name, fits]) => members.has(name) && fits(members.get(name)))
  );
}
