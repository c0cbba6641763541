// A program that saves a note once, even if it is stopped and started again.

import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { newOperation, OperationRejected, restoreOperation, send } from "../../public/client.js";

/**
 * @param {string} url where notes are saved
 * @param {string} title
 * @param {string} file keeps this one intention until it is done; call it again with the same file
 *   after an `OperationOpen`, or a crash
 * @param {import("../../public/client.js").Options} options of `send`, such as the headers
 * @returns {Promise<string>} the note's id
 */
export async function saveNote(url, title, file, options) {
  const operation = (await restore(file)) ?? newOperation(url, { title });
  const save = async (one) => {
    // Whole or not at all: half a record would be a lost key.
    await writeFile(`${file}.new`, JSON.stringify(one));
    await rename(`${file}.new`, file);
  };
  try {
    const { document } = await send(operation, { ...options, save });
    await rm(file);
    return document.id;
  } catch (error) {
    // It is settled: nothing was saved, and another title is another intention.
    if (error instanceof OperationRejected) await rm(file);
    throw error;
  }
}

/** What the file keeps; null: there is none, so nothing was ever sent. */
async function restore(file) {
  const text = await readFile(file, "utf8").catch(({ code }) => {
    if (code !== "ENOENT") throw new Error(`${file} cannot be read: ${code}`);
    return null;
  });
  if (text === null) return null;
  const operation = restoreOperation(text);
  if (operation === null) throw new Error(`expected an operation in ${file}, found ${text}`);
  return operation;
}
