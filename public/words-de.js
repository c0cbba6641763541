// Every text of the page in German.

/** @param {number} count */
const places = (count) => (count === 1 ? "1 Platz" : `${count} Plätze`);
/** @param {number} count */
const are = (count) => (count === 1 ? "ist" : "sind");
/** @param {number} count */
const were = (count) => (count === 1 ? "war" : "waren");

/** @type {Words} */
export default {
  locale: "de",
  otherLanguage: "English",
  home: "Einmal: zu den Workshops",
  documentTitle: (title) => `${title} · Einmal`,

  workshops: "Workshops",
  allWorkshops: "Alle Workshops",
  loading: "Einen Moment …",
  noWorkshops: "Zurzeit gibt es keine Workshops.",
  listFailed: "Die Workshops können gerade nicht geladen werden.",
  workshopFailed: "Dieser Workshop kann gerade nicht geladen werden.",
  workshopUnknown: "Diesen Workshop bieten wir nicht an.",
  loadAgain: "Neu laden",
  when: "Wann",
  where: "Wo",
  dateOpen: "Termin folgt",
  freePlaces: (count, capacity) =>
    `${count} von ${capacity === 1 ? "1 Platz" : `${capacity} Plätzen`} frei`,
  full: "Zurzeit ausgebucht",
  fullHint: "Versuchen Sie es trotzdem: Vielleicht wird ein Platz frei.",
  closed: "Anmeldung geschlossen",
  closedHint: "Neue Reservierungen werden voraussichtlich abgelehnt.",

  howMany: "Wie viele Plätze?",
  selection: "Ihre Auswahl",
  places,
  chooseQuantity: "Bitte wählen Sie 1 oder 2 Plätze.",
  reserve: "Reservieren",
  sendingButton: "Wird gesendet …",
  tryAgain: "Erneut versuchen",
  tryAgainIn: (time) => `Erneut versuchen in ${time}`,
  stop: "Abbrechen",
  checkAgain: "Erneut prüfen",
  cancel: "Stornieren",
  again: "Noch einmal reservieren",
  change: "Auswahl ändern",
  takeOver: "Für mich reservieren",
  putAside: "Zur Seite legen",

  sending: "Wird gesendet. Einen Moment …",
  headlines: {
    reserved: "Reserviert",
    unconfirmed: "Zuvor reserviert",
    cancelled: "Storniert",
    unavailable: "Nicht reserviert",
    abandoned: "Nicht reserviert",
    rejected: "Nicht reserviert",
    open: "Noch nicht bestätigt",
    unsent: "Noch nicht reserviert",
    foreign: "Anfrage einer anderen Person",
    blocked: "Reservieren ist hier nicht möglich",
  },
  reserved: (count, title) => `${places(count)} in «${title}» ${are(count)} für Sie reserviert.`,
  unconfirmed: (count, title) =>
    `${places(count)} in «${title}» ${were(count)} für Sie reserviert. Ob das noch gilt, konnten wir nicht prüfen.`,
  cancelled: (count, title) =>
    `${places(count)} in «${title}» ${are(count)} nicht mehr für Sie reserviert.`,
  unavailable:
    "Zu wenige Plätze sind frei, oder die Anmeldung ist geschlossen. Es wurde nichts reserviert. Sie können eine neue Anfrage starten.",
  abandoned:
    "Diese Anfrage wurde abgebrochen. Es wurde nichts reserviert. Sie können eine neue Anfrage starten.",
  rejected: {
    unknown_workshop: "Diesen Workshop bieten wir nicht mehr an. Es wurde nichts reserviert.",
    operation_conflict:
      "Diese Anfrage wurde schon mit einer anderen Auswahl gesendet. Es hat sich nichts geändert. Wählen Sie noch einmal.",
    cross_site:
      "Diese Anfrage kam von einer anderen Website. Es wurde nichts reserviert. Öffnen Sie diese Seite direkt und wählen Sie noch einmal.",
    other:
      "Diese Anfrage war nicht lesbar. Es wurde nichts reserviert. Laden Sie die Seite neu und wählen Sie noch einmal.",
  },
  open: "Wir wissen noch nicht, ob reserviert wurde. Es ist nichts verloren: Ein neuer Versuch reserviert nicht doppelt.",
  unsent:
    "Dieser Versuch hat nichts reserviert. Ihre Auswahl ist gespeichert, und ein neuer Versuch reserviert nicht doppelt.",
  stopHint: "Wenn Sie abbrechen, steht fest: Sie haben den Platz, oder es wurde nichts reserviert.",
  because: {
    no_answer: "Innerhalb von 15 Sekunden kam keine Antwort.",
    unreachable: "Der Dienst ist nicht erreichbar. Bitte prüfen Sie Ihre Verbindung.",
    unreadable: "Die Antwort war nicht lesbar.",
    outcome_unknown: "Der Dienst wurde nicht rechtzeitig fertig.",
    not_configured: "Der Dienst ist noch nicht eingerichtet. Bitte fragen Sie den Veranstalter.",
    rate_limited: "Gerade ist sehr viel los.",
    actor_required: "Der Dienst hat diesen Browser nicht mehr erkannt.",
    storage: "Dieser Browser lässt die Seite nichts mehr speichern.",
    operation_conflict:
      "Diese Anfrage wurde schon mit einer anderen Auswahl gesendet. Brechen Sie ab, um zu sehen, was reserviert ist.",
    unknown_workshop: "Diesen Workshop bieten wir offenbar nicht mehr an.",
    other: "Dieser Versuch wurde nicht angenommen.",
    interrupted: "In diesem Tab wurde eine Anfrage begonnen, aber die Antwort fehlt.",
  },
  wait: "Der Knopf zeigt, wann Sie es erneut versuchen können.",
  waited: "Sie können es jetzt erneut versuchen.",
  notices: {
    forgotten: "Sie sind auf diesem Gerät vergessen. Ihre Reservierungen bleiben gültig.",
    not_forgotten:
      "Der Dienst ist nicht erreichbar. Es wurde nichts vergessen. Bitte versuchen Sie es noch einmal.",
    kept: "Ihre Reservierung hat geklappt.",
    cancelled: "Die Reservierung ist storniert.",
    cancel_undone: "Es wurde nichts storniert.",
    cancel_unanswered: "Wir wissen nicht, ob storniert wurde. Sie können es erneut versuchen.",
  },

  more: (count, title) => ({
    title: "Noch mehr reservieren?",
    texts: [
      `${places(count)} in «${title}» ${are(count)} schon für Sie reserviert. Das käme noch dazu.`,
    ],
    yes: "Noch mehr reservieren",
    no: "Dabei belassen",
  }),
  cancelQuestion: (count, title, code) => ({
    title: "Diese Reservierung stornieren?",
    texts: [`${code}: ${places(count)} in «${title}».`, "Danach können sofort andere reservieren."],
    yes: "Reservierung stornieren",
    no: "Behalten",
  }),

  foreignOpen: (count, title) =>
    `In diesem Tab hat eine andere Person ${places(count)} in «${title}» angefragt. Das wird nicht in Ihrem Namen gesendet.`,
  foreignUnanswered:
    "Vielleicht wurde reserviert; das kann nur diese Person prüfen. Sie können die Anfrage zur Seite legen; reservierte Plätze bleiben reserviert.",
  foreignUnsent:
    "Es wurde nichts reserviert. Sie können für sich reservieren oder die Anfrage zur Seite legen.",
  foreignSettled:
    "Dieser Tab enthält die Antwort auf die Anfrage einer anderen Person. Sie können die Anfrage zur Seite legen; reservierte Plätze bleiben reserviert.",

  blocked: {
    storage:
      "Dieser Browser lässt die Seite nichts speichern. Damit Sie nicht doppelt reservieren, wird nichts gesendet. Erlauben Sie das Speichern, oder nehmen Sie einen anderen Browser, und laden Sie die Seite neu.",
    insecure:
      "Bitte öffnen Sie diese Seite mit https. Ohne sichere Verbindung wird nichts gesendet.",
  },

  doorCode: "Einlasscode",
  quantity: "Plätze",
  reservationId: "Reservierungsnummer",
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Bitte von Hand markieren",
  calendar: "In den Kalender",
  noCalendar: "Gerade nicht möglich",
  calendarDescription: (count, code) => `${places(count)} reserviert. Einlasscode: ${code}`,

  reservations: "Ihre Reservierungen",
  reservationsFailed:
    "Ihre Reservierungen können gerade nicht geladen werden. Diese Liste ist vielleicht nicht aktuell.",
  states: { held: "Reserviert", cancelled: "Storniert", unknown: "Zuvor reserviert" },
  receipt: (count, title) => `${places(count)}, ${title}`,

  asideTitle: "Zur Seite gelegte Anfrage",
  aside:
    "Diese Anfrage gehört einer anderen Person oder ist nicht lesbar. Sie wird nicht gesendet, hat früher aber vielleicht Plätze reserviert.",
  asideShow: "Anzeigen",
  asideErase: "Löschen",

  forget: "Mich auf diesem Gerät vergessen",
  forgetOpen:
    "Eine Anfrage ist noch offen. Danach können Sie nicht mehr prüfen, ob reserviert wurde, und reservieren vielleicht doppelt.",
  forgetHeld:
    "Für Sie sind Plätze reserviert. Sie bleiben reserviert, aber dieser Browser kann sie dann nicht mehr anzeigen oder stornieren. Notieren Sie vorher die Einlasscodes.",
  forgetQuestion: { title: "Auf diesem Gerät vergessen?", yes: "Vergessen", no: "Abbrechen" },

  contract: "Was dieser Dienst garantiert",
};
