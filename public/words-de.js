// Alle Texte der Seite auf Deutsch. (Every text of the page in German, and nothing else.)

const places = (count) => (count === 1 ? "1 Platz" : `${count} Plätze`);
const are = (count) => (count === 1 ? "ist" : "sind");

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
  again: "Noch einmal reservieren",
  change: "Auswahl ändern",
  takeOver: "Für mich reservieren",
  putAside: "Beiseitelegen",

  sending: "Wird gesendet. Einen Moment …",
  reservedHeadline: "Reserviert",
  reserved: (count, title) => `${places(count)} in «${title}» ${are(count)} für Sie reserviert.`,
  unavailableHeadline: "Nicht reserviert",
  unavailable: (count) =>
    `Für ${places(count)} war nicht genug frei, oder die Anmeldung ist geschlossen. Es wurde nichts reserviert. Diese Antwort bleibt; Sie können neu anfragen.`,
  rejectedHeadline: "Nicht reserviert",
  rejected: {
    unknown_workshop: "Dieser Workshop ist nicht mehr im Angebot. Es wurde nichts reserviert.",
    operation_conflict:
      "Der Dienst kennt diese Anfrage mit einer anderen Auswahl und hat alles gelassen, wie es war. Wählen Sie neu, dann wird es eine eigene Anfrage.",
    cross_site:
      "Der Browser hat dies von einer anderen Website aus gesendet, darum wurde es abgelehnt. Es wurde nichts reserviert. Öffnen Sie diese Seite direkt und wählen Sie neu.",
    other:
      "Der Dienst konnte diese Anfrage nicht lesen. Es wurde nichts reserviert. Laden Sie die Seite neu und wählen Sie noch einmal.",
  },
  openHeadline: "Noch nicht bekannt",
  open: "Ob reserviert wurde, ist noch nicht bekannt. Nichts ist verloren: Ein neuer Versuch reserviert nicht doppelt.",
  unsentHeadline: "Noch nicht reserviert",
  unsent:
    "Dieser Versuch hat nichts reserviert. Ihre Auswahl ist gespeichert; ein neuer Versuch reserviert nicht doppelt.",
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
      "Der Dienst sagt, dass er diese Anfrage mit einer anderen Auswahl kennt. Bleibt das so, fragen Sie den Veranstalter.",
    unknown_workshop: "Der Dienst sagt, dass dieser Workshop nicht mehr im Angebot ist.",
    other: "Der Dienst hat diesen Versuch nicht angenommen.",
    interrupted: "In diesem Tab wurde eine Anfrage begonnen, und eine Antwort darauf ist nicht da.",
  },
  wait: "Der Knopf zählt die Sekunden bis dahin.",
  waited: "Sie können es jetzt noch einmal versuchen.",

  otherHeadline: "Die Anfrage von jemand anderem",
  otherOpen: (count, title) =>
    `In diesem Tab wurde unter einer anderen Identität eine Anfrage für ${places(count)} in «${title}» begonnen. Sie wird nicht als Ihre gesendet.`,
  otherUnanswered:
    "Vielleicht wurde sie ausgeführt; das könnte nur jene Identität herausfinden. Beiseitegelegt bleibt sie in diesem Tab vermerkt, aber diese Seite fragt nicht mehr nach. Falls Plätze reserviert wurden, bleiben sie reserviert.",
  otherUnsent:
    "Durch sie wurde nichts reserviert. Sie können sie zu Ihrer machen oder beiseitelegen: Dann bleibt sie in diesem Tab vermerkt und wird nicht gesendet.",
  otherSettled:
    "Dieser Tab enthält die Antwort auf die Anfrage einer anderen Person. Beiseitegelegt bleibt sie in diesem Tab vermerkt; an der Entscheidung ändert das nichts.",

  unpreparedHeadline: "Hier kann nichts reserviert werden",
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
  calendarDescription: (count, code) =>
    `${places(count)} reserviert. Code für den Einlass: ${code}`,
  receipts: "Früher in diesem Tab",
  receipt: (count, title) => `${places(count)}, ${title}`,

  asideTitle: "Etwas wurde beiseitegelegt",
  aside:
    "Was in diesem Tab gespeichert war, passt nicht zu Ihnen oder nicht zu dieser Seite. Es wurde nicht gesendet und liegt hier, wie es war. Falls es früher gesendet wurde, hat es vielleicht Plätze reserviert.",
  asideShow: "Anzeigen",
  asideErase: "Löschen",

  forget: "Mich auf diesem Gerät vergessen",
  forgetTitle: "Sie auf diesem Gerät vergessen?",
  forgetOpen:
    "Hier ist noch eine Anfrage offen. Sind Sie vergessen, kann auf diesem Gerät niemand mehr herausfinden, ob reserviert wurde, und eine neue Anfrage reserviert vielleicht doppelt.",
  forgetHeld:
    "Für Sie sind Plätze reserviert. Sie bleiben reserviert, aber der Beleg mit dem Code für den Einlass verschwindet aus diesem Tab. Notieren Sie ihn vorher.",
  forgetYes: "Vergessen",
  forgetNo: "Nicht vergessen",
  forgotten: "Sie sind auf diesem Gerät vergessen. Was reserviert wurde, bleibt reserviert.",
  notForgotten:
    "Der Dienst war nicht zu erreichen, darum wurde nichts vergessen. Bitte versuchen Sie es noch einmal.",

  contract: "Wie dieser Dienst Wort hält",
};
