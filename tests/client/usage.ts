// How a program in TypeScript uses the client. It is compiled, and not run.

import {
  newOperation,
  type Operation,
  OperationOpen,
  OperationRejected,
  restoreOperation,
  send,
} from "../../public/client.js";

export async function saveNote(title: string, storage: Storage): Promise<string> {
  const saved: Operation | null = restoreOperation(storage.getItem("note") ?? "");
  const operation = saved ?? newOperation("/notes", { title }, { actor: "0123456789abcdef" });
  try {
    const decided = await send(operation, {
      attempts: 3,
      headers: { Authorization: "Bearer …" },
      signal: AbortSignal.timeout(30_000),
      save: (one) => storage.setItem("note", JSON.stringify(one)),
      wait: (ms, signal) =>
        new Promise((resolve) => {
          setTimeout(resolve, ms);
          signal.addEventListener("abort", resolve);
        }),
    });
    const { id } = decided.document as { id: string };
    return decided.replayed ? `${id}, decided earlier` : id;
  } catch (error) {
    if (error instanceof OperationRejected) return `not possible: ${error.answer.error}`;
    if (error instanceof OperationOpen)
      return `not known yet: ${error.reason}, ${error.operation.key}`;
    throw error;
  }
}

const operation = newOperation("/notes", {});

// @ts-expect-error An operation is frozen.
operation.key = "another";
// @ts-expect-error So are its values.
operation.values.title = "another";
// @ts-expect-error An operation has a key.
send({ url: "/notes", values: {} });
// @ts-expect-error The values are an object.
newOperation("/notes", "Buy milk");
// @ts-expect-error There is no such option.
send(operation, { retries: 3 });
// @ts-expect-error The document is unknown to the types.
(await send(operation)).document.id;
