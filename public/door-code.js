/** @type {DoorCode} */
export function doorCode(reservationId) {
  const digits = reservationId.slice(0, 8).toUpperCase();
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}
