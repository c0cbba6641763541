// Why a deployment does not go on.

/** The message states what failed, what is in place, and what to do next. */
export class Stopped extends Error {
  /**
   * @param {string} message
   * @param {object} more
   * @param {string} [more.output] what wrangler printed, if nobody has seen it yet
   * @param {number} [more.exitCode]
   */
  constructor(message, { output, exitCode = 1 } = {}) {
    super(message);
    this.output = output;
    this.exitCode = exitCode;
  }
}
