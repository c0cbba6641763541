// Every text of the page in German, and nothing else.

const places = (count) => (count === 1 ? "1 Platz" : `${count} Plätze`);
const are = (count) => (count === 1 ? "ist" : "sind");
const were = (count) => (count === 1 ? "war" : "waren");

export default {
  locale: "de",
  otherLanguage: "English",
  home: "Einmal: zu den Workshops",
  documentTitle: (title) => `${title} · Einmal`,

  workshops: "Workshops",
  allWorkshops: "Alle Workshops",
  loading: "Einen Moment …",
  noWorkshops: "Zurzeit ist nichts im Angebot.",
  listFailed: "Die Workshops lassen sich gerade nicht anzeigen.",
  workshopFailed: "Dieser Workshop lässt sich gerade nicht anzeigen.",
  workshopUnknown: "Dieser Workshop ist nicht im Angebot.",
  loadAgain: "Neu laden",
  when: "Wann",
  where: "Wo",
  dateOpen: "Termin folgt",
  freePlaces: (count, capacity) =>
    `${count} von ${capacity === 1 ? "1 Platz" : `${capacity} Plätzen`} frei`,
  full: "Zurzeit ausgebucht",
  fullHint: "Sie können trotzdem anfragen: Es zählt der Augenblick, in dem Sie reservieren.",
  closed: "Die Anmeldung ist geschlossen",
  closedHint: "Es werden voraussichtlich keine Reservierungen mehr angenommen.",

  howMany: "Wie viele Plätze?",
  selection: "Ihre Auswahl",
  places,
  chooseQuantity: "Bitte wählen Sie 1 oder 2 Plätze.",
  reserve: "Reservieren",
  sendingButton: "Wird gesendet …",
  tryAgain: "Noch einmal versuchen",
  tryAgainIn: (time) => `Noch einmal versuchen in ${time}`,
  stop: "Nicht weiter versuchen",
  lookAgain: "Noch einmal nachsehen",
  cancel: "Stornieren",
  again: "Noch einmal reservieren",
  change: "Auswahl ändern",
  takeOver: "Für mich reservieren",
  putAside: "Beiseitelegen",

  sending: "Wird gesendet. Einen Moment …",
  headlines: {
    reserved: "Reserviert",
    unsure: "Das war reserviert",
    cancelled: "Storniert",
    unavailable: "Nicht reserviert",
    abandoned: "Nicht reserviert",
    rejected: "Nicht reserviert",
    open: "Noch nicht bekannt",
    unsent: "Noch nicht reserviert",
    other: "Die Anfrage von jemand anderem",
    unprepared: "Hier kann nichts reserviert werden",
  },
  reserved: (count, title) => `${places(count)} in «${title}» ${are(count)} für Sie reserviert.`,
  unsure: (count, title) =>
    `${places(count)} in «${title}» ${were(count)} für Sie reserviert. Ob das noch gilt, ist nicht bekannt.`,
  cancelled: (count, title) =>
    `${places(count)} in «${title}» ${are(count)} nicht mehr für Sie reserviert.`,
  unavailable:
    "Dafür war nicht genug frei, oder die Anmeldung ist geschlossen. Es wurde nichts reserviert. Sie können neu anfragen.",
  abandoned:
    "Diese Anfrage wurde aufgegeben. Es wurde nichts reserviert, und dabei bleibt es. Sie können neu anfragen.",
  rejected: {
    unknown_workshop: "Dieser Workshop ist nicht mehr im Angebot. Es wurde nichts reserviert.",
    operation_conflict:
      "Der Dienst kennt diese Anfrage mit einer anderen Auswahl und hat alles gelassen, wie es war. Wählen Sie neu, dann wird es eine eigene Anfrage.",
    cross_site:
      "Der Browser hat dies von einer anderen Website aus gesendet, darum wurde es abgelehnt. Es wurde nichts reserviert. Öffnen Sie diese Seite direkt und wählen Sie neu.",
    other:
      "Der Dienst konnte diese Anfrage nicht lesen. Es wurde nichts reserviert. Laden Sie die Seite neu und wählen Sie noch einmal.",
  },
  open: "Ob reserviert wurde, ist noch nicht bekannt. Nichts ist verloren: Ein neuer Versuch reserviert nicht doppelt.",
  unsent:
    "Dieser Versuch hat nichts reserviert. Ihre Auswahl ist gespeichert; ein neuer Versuch reserviert nicht doppelt.",
  stopHint:
    "Versuchen Sie es nicht weiter, ist es entschieden: Sie haben den Platz, oder es wurde nichts reserviert.",
  because: {
    no_answer: "Innerhalb von 15 Sekunden kam keine Antwort.",
    unreachable: "Der Dienst ist nicht erreichbar; vielleicht fehlt die Verbindung.",
    unreadable: "Es kam eine Antwort, die sich nicht verstehen lässt.",
    outcome_unknown: "Der Dienst konnte es nicht rechtzeitig herausfinden.",
    not_configured: "Der Dienst ist noch nicht eingerichtet; das muss der Veranstalter tun.",
    rate_limited: "Gerade wird sehr viel angefragt.",
    actor_required: "Der Dienst hat diesen Browser nicht mehr erkannt.",
    storage: "Der Browser lässt diese Seite nichts mehr speichern.",
    operation_conflict:
      "Der Dienst sagt, dass er diese Anfrage mit einer anderen Auswahl kennt. Versuchen Sie es nicht weiter, dann sehen Sie, was daraus wurde.",
    unknown_workshop: "Der Dienst sagt, dass dieser Workshop nicht mehr im Angebot ist.",
    other: "Der Dienst hat diesen Versuch nicht angenommen.",
    interrupted: "In diesem Tab wurde eine Anfrage begonnen, und eine Antwort darauf ist nicht da.",
  },
  wait: "Der Knopf zählt die Sekunden bis dahin.",
  waited: "Sie können es jetzt noch einmal versuchen.",
  notices: {
    forgotten: "Sie sind auf diesem Gerät vergessen. Was reserviert wurde, bleibt reserviert.",
    not_forgotten:
      "Der Dienst war nicht zu erreichen, darum wurde nichts vergessen. Bitte versuchen Sie es noch einmal.",
    kept: "Sie haben den Platz.",
    cancelled: "Die Reservierung ist storniert.",
    cancel_undone: "Damit wurde nichts storniert.",
    cancel_unanswered:
      "Ob storniert wurde, ist nicht bekannt. Noch einmal zu stornieren schadet nicht.",
  },

  more: (count, title) => ({
    title: "Noch mehr reservieren?",
    texts: [
      `${places(count)} in «${title}» ${are(count)} schon für Sie reserviert. Das käme dazu.`,
    ],
    yes: "Dazu reservieren",
    no: "Dabei belassen",
  }),
  cancelQuestion: (count, title, code) => ({
    title: "Diese Reservierung stornieren?",
    texts: [
      `${code}: ${places(count)} in «${title}».`,
      "Was Sie zurückgeben, kann sofort an andere gehen.",
    ],
    yes: "Reservierung stornieren",
    no: "Behalten",
  }),

  otherOpen: (count, title) =>
    `In diesem Tab wurde unter einer anderen Identität eine Anfrage für ${places(count)} in «${title}» begonnen. Sie wird nicht als Ihre gesendet.`,
  otherUnanswered:
    "Vielleicht wurde sie ausgeführt; das könnte nur jene Identität herausfinden. Beiseitegelegt bleibt sie in diesem Tab vermerkt, aber diese Seite fragt nicht mehr nach. Falls Plätze reserviert wurden, bleiben sie reserviert.",
  otherUnsent:
    "Durch sie wurde nichts reserviert. Sie können sie zu Ihrer machen oder beiseitelegen: Dann bleibt sie in diesem Tab vermerkt und wird nicht gesendet.",
  otherSettled:
    "Dieser Tab enthält die Antwort auf die Anfrage einer anderen Person. Beiseitegelegt bleibt sie in diesem Tab vermerkt; an der Entscheidung ändert das nichts.",

  unprepared: {
    storage:
      "Dieser Browser lässt die Seite nichts speichern: Es ist gesperrt, oder der Speicher ist voll. Aus einer verlorenen Antwort könnte dann eine zweite Reservierung werden, darum wird nichts gesendet. Erlauben Sie dieser Website, Daten zu speichern, oder nehmen Sie einen anderen Browser, und laden Sie die Seite neu.",
    insecure:
      "Diese Seite wurde nicht über eine sichere Verbindung (https) geöffnet. So lässt sich nichts sicher vorbereiten, und es wird nichts gesendet.",
  },

  doorCode: "Code für den Einlass",
  quantity: "Plätze",
  reservationId: "Reservierung",
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Bitte von Hand markieren",
  calendar: "In den Kalender",
  noCalendar: "Lässt sich gerade nicht laden",
  calendarDescription: (count, code) =>
    `${places(count)} reserviert. Code für den Einlass: ${code}`,

  reservations: "Ihre Reservierungen",
  reservationsFailed:
    "Ihre Reservierungen lassen sich gerade nicht laden. Hier steht, was diese Seite kennt; ob es noch gilt, ist nicht bekannt.",
  states: { held: "Reserviert", cancelled: "Storniert", unknown: "War reserviert" },
  receipt: (count, title) => `${places(count)}, ${title}`,

  asideTitle: "Etwas wurde beiseitegelegt",
  aside:
    "Was in diesem Tab gespeichert war, passt nicht zu Ihnen oder nicht zu dieser Seite. Es wurde nicht gesendet und liegt hier, wie es war. Falls es früher gesendet wurde, hat es vielleicht Plätze reserviert.",
  asideShow: "Anzeigen",
  asideErase: "Löschen",

  forget: "Mich auf diesem Gerät vergessen",
  forgetOpen:
    "Hier ist noch eine Anfrage offen. Sind Sie vergessen, kann auf diesem Gerät niemand mehr herausfinden, ob reserviert wurde, und eine neue Anfrage reserviert vielleicht doppelt.",
  forgetHeld:
    "Für Sie sind Plätze reserviert. Sie bleiben reserviert, aber dieser Browser zeigt dann ihre Codes für den Einlass nicht mehr und kann sie nicht stornieren. Notieren Sie die Codes vorher.",
  forgetQuestion: {
    title: "Sie auf diesem Gerät vergessen?",
    yes: "Vergessen",
    no: "Nicht vergessen",
  },

  contract: "Wie dieser Dienst Wort hält",
};
