/**
 * The short code for the door: the first 8 hexadecimal digits of the reservation's id, in upper
 * case, in two groups (`a5a5a5a5…` is `A5A5-A5A5`). Whoever checks at the door derives it in the
 * same way. It tells the reservations of one workshop apart (32 bits); it is no secret.
 * @param {string} reservationId 32 lower-case hexadecimal digits
 */
export function doorCode(reservationId) {
  const digits = reservationId.slice(0, 8).toUpperCase();
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}
