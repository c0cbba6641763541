// Timeouts.

export const TOO_LATE = new Error("no answer in time");

/** The value of a promise, or a rejection with `TOO_LATE`. */
export async function within(milliseconds, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, milliseconds, TOO_LATE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
