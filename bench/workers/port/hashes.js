// SHA-256, as lower-case hexadecimal digits.

const encoder = new TextEncoder();

/** SHA-256 of the fields, each after its length as a 32-bit big-endian number. */
export function fingerprintOf(workshop, quantity) {
  const frame = (field) => `\0\0\0${String.fromCharCode(field.length)}${field}`;
  return digest(frame("reserve") + frame(workshop) + frame(String(quantity)));
}

/** Of a text. */
export async function digest(text) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))).toHex();
}
