// Every text of the page in English.

/** @param {number} count */
const places = (count) => (count === 1 ? "1 place" : `${count} places`);
/** @param {number} count */
const are = (count) => (count === 1 ? "is" : "are");
/** @param {number} count */
const were = (count) => (count === 1 ? "was" : "were");

export default {
  locale: "en-GB",
  otherLanguage: "Deutsch",
  home: "Einmal: to the workshops",
  documentTitle: (/** @type {string} */ title) => `${title} · Einmal`,

  // What is on offer.
  workshops: "Workshops",
  allWorkshops: "All workshops",
  loading: "One moment …",
  noWorkshops: "There are no workshops at the moment.",
  listFailed: "The workshops cannot be loaded right now.",
  workshopFailed: "This workshop cannot be loaded right now.",
  workshopUnknown: "This workshop is not on offer.",
  loadAgain: "Load again",
  when: "When",
  where: "Where",
  dateOpen: "Date to be announced",
  freePlaces: (/** @type {number} */ count, /** @type {number} */ capacity) =>
    `${count} of ${places(capacity)} free`,
  full: "Fully booked at the moment",
  fullHint: "You can still try: a place may become free.",
  closed: "Reservations are closed",
  closedHint: "New reservations will probably be refused.",

  // The form.
  howMany: "How many places?",
  selection: "Your selection",
  places,
  chooseQuantity: "Please choose 1 or 2 places.",
  reserve: "Reserve",
  sendingButton: "Sending …",
  tryAgain: "Try again",
  tryAgainIn: (/** @type {string} */ time) => `Try again in ${time}`,
  stop: "Stop trying",
  checkAgain: "Check again",
  cancel: "Cancel",
  again: "Reserve again",
  change: "Change selection",
  takeOver: "Reserve it for me",
  putAside: "Set it aside",

  // What is known of the request.
  sending: "Sending. One moment …",
  headlines: {
    reserved: "Reserved",
    unconfirmed: "Reserved earlier",
    cancelled: "Cancelled",
    unavailable: "Not reserved",
    abandoned: "Not reserved",
    rejected: "Not reserved",
    open: "Not confirmed yet",
    unsent: "Not reserved yet",
    foreign: "Someone else’s request",
    blocked: "You cannot reserve here",
  },
  reserved: (/** @type {number} */ count, /** @type {string} */ title) =>
    `${places(count)} in “${title}” ${are(count)} reserved for you.`,
  unconfirmed: (/** @type {number} */ count, /** @type {string} */ title) =>
    `${places(count)} in “${title}” ${were(count)} reserved for you. We could not check whether this is still the case.`,
  cancelled: (/** @type {number} */ count, /** @type {string} */ title) =>
    `${places(count)} in “${title}” ${are(count)} no longer reserved for you.`,
  unavailable:
    "Too few places are free, or reservations are closed. Nothing was reserved. You can start a new request.",
  abandoned: "This request was stopped. Nothing was reserved. You can start a new request.",
  rejected: {
    unknown_workshop: "This workshop is no longer on offer. Nothing was reserved.",
    operation_conflict:
      "This request was already sent with a different selection. Nothing has changed. Please choose again.",
    cross_site:
      "This request came from another website. Nothing was reserved. Open this page directly and choose again.",
    other:
      "The service could not read this request. Nothing was reserved. Reload the page and choose again.",
  },
  open: "We do not know yet whether it was reserved. Nothing is lost: trying again will not reserve twice.",
  unsent:
    "This attempt reserved nothing. Your selection is saved, and trying again will not reserve twice.",
  stopHint: "If you stop trying, it is settled: you have the place, or nothing was reserved.",
  because: {
    no_answer: "The service did not answer within 15 seconds.",
    unreachable: "The service cannot be reached. Please check your connection.",
    unreadable: "The answer could not be read.",
    outcome_unknown: "The service did not finish in time.",
    not_configured: "The service is not set up yet. Please contact the organiser.",
    rate_limited: "The service is busy.",
    actor_required: "The service no longer recognised this browser.",
    storage: "This browser no longer lets the page save anything.",
    operation_conflict:
      "This request was already sent with a different selection. Stop trying to see what is reserved.",
    unknown_workshop: "This workshop seems to be no longer on offer.",
    other: "The service did not accept this attempt.",
    interrupted: "A request was started in this tab, but its answer is missing.",
  },
  wait: "The button shows when you can try again.",
  waited: "You can try again now.",
  notices: {
    forgotten: "You are forgotten on this device. Your reservations stay valid.",
    not_forgotten: "The service cannot be reached. Nothing was forgotten. Please try again.",
    kept: "Your reservation went through.",
    cancelled: "The reservation is cancelled.",
    cancel_undone: "Nothing was cancelled.",
    cancel_unanswered: "We do not know whether it was cancelled. You can safely try again.",
  },

  // Questions.
  more: (/** @type {number} */ count, /** @type {string} */ title) => ({
    title: "Reserve more?",
    texts: [
      `${places(count)} in “${title}” ${are(count)} already reserved for you. This would be in addition.`,
    ],
    yes: "Reserve more",
    no: "Keep what I have",
  }),
  cancelQuestion: (
    /** @type {number} */ count,
    /** @type {string} */ title,
    /** @type {string} */ code,
  ) => ({
    title: "Cancel this reservation?",
    texts: [
      `${code}: ${places(count)} in “${title}”.`,
      "Someone else may then reserve right away.",
    ],
    yes: "Cancel the reservation",
    no: "Keep it",
  }),

  // Another actor's operation.
  foreignOpen: (/** @type {number} */ count, /** @type {string} */ title) =>
    `Someone else requested ${places(count)} in “${title}” in this tab. This will not be sent in your name.`,
  foreignUnanswered:
    "It may have gone through; only that person can check. You can set the request aside; reserved places stay reserved.",
  foreignUnsent: "Nothing was reserved. You can reserve for yourself, or set the request aside.",
  foreignSettled:
    "This tab holds the answer to someone else’s request. You can set the request aside; reserved places stay reserved.",

  // Nothing can be sent safely.
  blocked: {
    storage:
      "This browser does not let the page save anything. To keep you from reserving twice, nothing is sent. Allow this site to save data, or use another browser, then reload the page.",
    insecure: "Please open this page with https. Without a secure connection, nothing is sent.",
  },

  // The receipt.
  doorCode: "Door code",
  quantity: "Places",
  reservationId: "Reservation number",
  copy: "Copy",
  copied: "Copied",
  notCopied: "Select it by hand",
  calendar: "Save to calendar",
  noCalendar: "Not available right now",
  calendarDescription: (/** @type {number} */ count, /** @type {string} */ code) =>
    `${places(count)} reserved. Door code: ${code}`,

  // The actor's reservations.
  reservations: "Your reservations",
  reservationsFailed: "Your reservations cannot be loaded right now. This list may be out of date.",
  states: { held: "Reserved", cancelled: "Cancelled", unknown: "Reserved earlier" },
  receipt: (/** @type {number} */ count, /** @type {string} */ title) =>
    `${places(count)}, ${title}`,

  // Put aside.
  asideTitle: "A request was set aside",
  aside:
    "This request belongs to someone else, or cannot be read. It is not sent, but may have reserved places earlier.",
  asideShow: "Show it",
  asideErase: "Delete it",

  // Being forgotten.
  forget: "Forget me on this device",
  forgetOpen:
    "A request is still open. After this, you can no longer check whether it was reserved, and may reserve twice.",
  forgetHeld:
    "You have reserved places. They stay reserved, but this browser can no longer show or cancel them. Write the door codes down first.",
  forgetQuestion: { title: "Forget you on this device?", yes: "Forget me", no: "Cancel" },

  contract: "What this service guarantees",
};
