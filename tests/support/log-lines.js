/**
 * Waits for the expected number of lines in the Worker's log, which arrives a little later than the
 * response.
 * @param {() => {message: string}[]} logged what has been logged so far
 */
export async function logLines(logged, expected) {
  for (let waited = 0; waited < 5_000; waited += 10) {
    const lines = logged().filter(({ message }) => message.startsWith("{"));
    if (lines.length >= expected) return lines.map(({ message }) => JSON.parse(message));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`expected ${expected} lines of log, found ${JSON.stringify(logged())}`);
}
