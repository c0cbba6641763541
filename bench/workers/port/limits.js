// Rate limits by actor and by address.

/** Counts a request; whether it is within the limit. Without a binding it is. */
export async function allows(limiter, key) {
  try {
    return (await limiter.limit({ key })).success;
  } catch {
    return true;
  }
}

/** An IPv4 address, or the /64 of an IPv6 address. */
export function addressBlock(address) {
  if (!address.includes(":")) return address;
  const [head, tail = ""] = address.split("::");
  const [left, right] = [head, tail].map((part) => part.split(":").filter(Boolean));
  const zeros = Array(Math.max(0, 8 - left.length - right.length)).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}
