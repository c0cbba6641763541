// The page: reserves in one workshop, under a key that is made before anything is sent
// and kept until the service has said what was decided.

const WORKSHOP = new URLSearchParams(location.search).get("workshop") ?? "workshop-demo";
const SAVED = "einmal-operation";

const [form, quantity, submit, status, beginAgain, title, offer] = [
  "form",
  "quantity",
  "submit",
  "status",
  "begin-again",
  "title",
  "offer",
].map((id) => document.getElementById(id));

/** The operation that was begun and not yet settled: `{key, body}`, or null. */
let operation = null;
let sending = false;

/**
 * The tag of who asks. Under a lock, so that two tabs of a new browser do not become two
 * actors.
 */
async function actor() {
  const response = await navigator.locks.request("einmal-session", () => fetch("/session"));
  if (!response.ok) throw new Error(`no session: ${response.status}`);
  return (await response.json()).actor;
}

/** Shows the workshop. What it says decides nothing here. */
async function showOffer() {
  try {
    const response = await fetch(`/workshops/${encodeURIComponent(WORKSHOP)}`);
    const workshop = await response.json();
    if (!response.ok) throw new Error(workshop.detail);
    title.textContent = workshop.title;
    offer.textContent = `${workshop.available} of ${workshop.capacity} places are free.`;
  } catch {
    offer.textContent = "The workshop cannot be shown just now.";
  }
}

/** An open operation keeps its values, and offers to be sent again. */
function showOpen(text) {
  quantity.value = String(operation.body.quantity);
  quantity.disabled = true;
  submit.textContent = "Try again";
  status.textContent = text;
}

/** A definite answer: only the person begins a new operation. */
function showSettled(text, action) {
  status.textContent = text;
  submit.hidden = true;
  beginAgain.textContent = action;
  beginAgain.hidden = false;
  beginAgain.focus();
}

function show(response, answer) {
  if (response.status === 201 && answer.status === "reserved") {
    showSettled(
      `Reserved: ${answer.quantity}. Reservation ${answer.reservation_id}`,
      "Reserve again",
    );
  } else if (response.status === 409 && answer.status === "unavailable") {
    showSettled("Not enough places are free. Nothing was reserved.", "Change the selection");
  } else {
    showOpen("The outcome is not known yet. Nothing is lost: trying again will not reserve twice.");
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sending) return;
  if (operation === null) {
    const begun = {
      actor: await actor(),
      key: crypto.randomUUID(),
      body: { workshop: WORKSHOP, quantity: Number(quantity.value) },
    };
    sessionStorage.setItem(SAVED, JSON.stringify(begun));
    operation = begun;
  }
  sending = true;
  showOpen("Sending …");
  try {
    const response = await fetch("/reserve", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Idempotency-Key": operation.key,
        "Einmal-Actor": operation.actor,
      },
      body: JSON.stringify(operation.body),
      signal: AbortSignal.timeout(15_000),
    });
    show(response, await response.json());
  } catch {
    showOpen("No answer came. Nothing is lost: trying again will not reserve twice.");
  }
  sending = false;
  await showOffer();
});

beginAgain.addEventListener("click", () => {
  sessionStorage.removeItem(SAVED);
  operation = null;
  quantity.disabled = false;
  submit.hidden = false;
  submit.textContent = "Reserve";
  beginAgain.hidden = true;
  status.textContent = "";
  quantity.focus();
});

const saved = sessionStorage.getItem(SAVED);
if (saved !== null) {
  operation = JSON.parse(saved);
  showOpen("An operation is open. Trying again will not reserve twice.");
}
submit.disabled = false;
await showOffer();
