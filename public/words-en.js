// Every text of the page in English, and nothing else.

const places = (count) => (count === 1 ? "1 place" : `${count} places`);
const are = (count) => (count === 1 ? "is" : "are");
const were = (count) => (count === 1 ? "was" : "were");

export default {
  locale: "en-GB",
  otherLanguage: "Deutsch",
  home: "Einmal: to the workshops",
  documentTitle: (title) => `${title} · Einmal`,

  // What is on offer.
  workshops: "Workshops",
  allWorkshops: "All workshops",
  loading: "One moment …",
  noWorkshops: "Nothing is on offer at the moment.",
  listFailed: "The workshops cannot be shown just now.",
  workshopFailed: "This workshop cannot be shown just now.",
  workshopUnknown: "This workshop is not on offer.",
  loadAgain: "Load again",
  when: "When",
  where: "Where",
  dateOpen: "Date to come",
  freePlaces: (count, capacity) => `${count} of ${places(capacity)} free`,
  full: "Fully booked at the moment",
  fullHint: "You may ask all the same: what counts is the moment you reserve.",
  closed: "Reservations have closed",
  closedHint: "No more reservations are expected to be taken.",

  // The form.
  howMany: "How many places?",
  selection: "Your selection",
  places,
  chooseQuantity: "Please choose 1 or 2 places.",
  reserve: "Reserve",
  sendingButton: "Sending …",
  tryAgain: "Try again",
  tryAgainIn: (time) => `Try again in ${time}`,
  stop: "Stop trying",
  lookAgain: "Ask again",
  cancel: "Cancel",
  again: "Reserve again",
  change: "Change selection",
  takeOver: "Reserve it as mine",
  putAside: "Put it aside",

  // What is known.
  sending: "Sending. One moment …",
  headlines: {
    reserved: "Reserved",
    unsure: "This was reserved",
    cancelled: "Cancelled",
    unavailable: "Not reserved",
    abandoned: "Not reserved",
    rejected: "Not reserved",
    open: "Not known yet",
    unsent: "Not reserved yet",
    other: "Somebody else’s request",
    unprepared: "Nothing can be reserved here",
  },
  reserved: (count, title) => `${places(count)} in “${title}” ${are(count)} reserved for you.`,
  unsure: (count, title) =>
    `${places(count)} in “${title}” ${were(count)} reserved for you. Whether it still is, is not known.`,
  cancelled: (count, title) =>
    `${places(count)} in “${title}” ${are(count)} no longer reserved for you.`,
  unavailable:
    "Not enough was free for that, or reservations have closed. Nothing was reserved. You may ask anew.",
  abandoned:
    "This request was given up. Nothing was reserved by it, and nothing will be. You may ask anew.",
  rejected: {
    unknown_workshop: "This workshop is no longer on offer. Nothing was reserved.",
    operation_conflict:
      "The service knows this request with another selection, and left everything as it was. Choose anew, and it becomes a request of its own.",
    cross_site:
      "The browser sent this from another website, so it was refused. Nothing was reserved. Open this page directly and choose anew.",
    other:
      "The service could not read this request. Nothing was reserved. Load the page again and choose anew.",
  },
  open: "Whether it was reserved is not known yet. Nothing is lost: trying again will not reserve twice.",
  unsent:
    "This attempt reserved nothing. Your selection is kept; trying again will not reserve twice.",
  stopHint: "If you stop trying, it is settled: you do have the place, or nothing was reserved.",
  because: {
    no_answer: "No answer came within 15 seconds.",
    unreachable: "The service cannot be reached; there may be no connection.",
    unreadable: "An answer came that cannot be understood.",
    outcome_unknown: "The service could not find out in time.",
    not_configured: "The service is not set up yet; the organiser has to do that.",
    rate_limited: "A great deal is being asked just now.",
    actor_required: "The service no longer recognised this browser.",
    storage: "The browser no longer lets this page keep anything.",
    operation_conflict:
      "The service says that it knows this request with another selection. Stop trying, and you will see what it holds.",
    unknown_workshop: "The service says that this workshop is no longer on offer.",
    other: "The service did not accept this attempt.",
    interrupted: "A request was begun in this tab, and no answer to it is here.",
  },
  wait: "The button counts the seconds until then.",
  waited: "You can try again now.",
  notices: {
    forgotten: "You are forgotten on this device. What was reserved stays reserved.",
    not_forgotten: "The service could not be told, so nothing was forgotten. Please try again.",
    kept: "You do have it.",
    cancelled: "The reservation is cancelled.",
    cancel_undone: "Nothing was cancelled by this.",
    cancel_unanswered: "Whether it was cancelled is not known. It is safe to cancel again.",
  },

  // Before more is reserved, and before anything is cancelled.
  more: (count, title) => ({
    title: "Reserve more?",
    texts: [
      `${places(count)} in “${title}” ${are(count)} already reserved for you. This would come on top.`,
    ],
    yes: "Reserve more",
    no: "Leave it at that",
  }),
  cancelQuestion: (count, title, code) => ({
    title: "Cancel this reservation?",
    texts: [
      `${code}: ${places(count)} in “${title}”.`,
      "What you give back may go to others at once.",
    ],
    yes: "Cancel the reservation",
    no: "Keep it",
  }),

  // Somebody else's.
  otherOpen: (count, title) =>
    `A request for ${places(count)} in “${title}” was begun in this tab under another identity. It is not sent as yours.`,
  otherUnanswered:
    "It may have been carried out; only that identity could find out. To put it aside keeps its record in this tab, but this page will not ask about it again. If places were reserved, they stay reserved.",
  otherUnsent:
    "Nothing has been reserved by it. You may make it yours, or put it aside: then its record stays in this tab, and it is not sent.",
  otherSettled:
    "This tab holds the answer to somebody else’s request. To put it aside keeps its record in this tab and changes nothing of what was decided.",

  // Nothing can be prepared.
  unprepared: {
    storage:
      "This browser lets the page keep nothing: it is blocked, or full. A lost answer could then become a second reservation, so nothing is sent. Allow this site to keep data, or use another browser, and load the page again.",
    insecure:
      "This page was not opened over a secure connection (https), so nothing can be prepared safely, and nothing is sent.",
  },

  // The receipt.
  doorCode: "Code for the door",
  quantity: "Places",
  reservationId: "Reservation",
  copy: "Copy",
  copied: "Copied",
  notCopied: "Select it by hand",
  calendar: "Save to calendar",
  noCalendar: "Cannot be loaded just now",
  calendarDescription: (count, code) => `${places(count)} reserved. Code for the door: ${code}`,

  // The actor's reservations.
  reservations: "Your reservations",
  reservationsFailed:
    "Your reservations cannot be loaded just now. What stands here is what this page knows; whether it still holds is not known.",
  states: { held: "Reserved", cancelled: "Cancelled", unknown: "Was reserved" },
  receipt: (count, title) => `${places(count)}, ${title}`,

  // Put aside.
  asideTitle: "Something was put aside",
  aside:
    "What this tab had saved does not fit you or this page. It was not sent, and is kept here as it was. If it had been sent before, it may have reserved places.",
  asideShow: "Show it",
  asideErase: "Delete it",

  // Being forgotten.
  forget: "Forget me on this device",
  forgetOpen:
    "A request is still open here. Once you are forgotten, nobody can find out on this device whether it was reserved, and reserving anew may reserve twice.",
  forgetHeld:
    "Places are reserved for you. They stay reserved, but this browser will no longer show their codes for the door, nor cancel them. Note the codes first.",
  forgetQuestion: { title: "Forget you on this device?", yes: "Forget me", no: "Keep me" },

  contract: "How this service keeps its word",
};
