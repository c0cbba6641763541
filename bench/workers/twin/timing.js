// Waiting, but not for ever.

export const TOO_LATE = new Error("no answer in time");

/** What a promise gives if it is done in time. */
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
