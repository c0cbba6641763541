// Where the conditions come from: what a clause is called in the report and in
// docs/conformance.md.

/** The documents, by the short name that stands before a clause. */
export const documents = {
  Prevent:
    "“Prevent duplicate operations through idempotency” (in German: “Doppelte Vorgänge durch Idempotenz vermeiden”); the clause is the section's title",
  Entwerfen:
    "“Idempotente Operationen und sichere Wiederholungen entwerfen”; the clause is the step under “Schritte”, or the section's title",
  Notiz:
    "the untitled document about the note that is saved twice (`retry-idempotency.mjs`); the clause is the section's title",
  Draft: "draft-ietf-httpapi-idempotency-key-header-07, The Idempotency-Key HTTP Header Field",
  "RFC 9457": "Problem Details for HTTP APIs",
  "RFC 9110": "HTTP Semantics",
  "RFC 9111": "HTTP Caching",
  "RFC 9562": "Universally Unique IDentifiers",
  "RFC 8259": "The JavaScript Object Notation Data Interchange Format",
  "RFC 7515": "JSON Web Signature",
  "RFC 8725": "JSON Web Token Best Current Practices",
  "RFC 6750": "Bearer Token Usage",
  "RFC 6265": "HTTP State Management Mechanism",
  Contract: "docs/contract.md; the clause is the section's title",
};

const from = (document) => (clause) => ({ document, clause });
const section = (document) => (number) => ({ document, clause: `section ${number}` });

export const prevent = from("Prevent");
export const entwerfen = from("Entwerfen");
export const notiz = from("Notiz");
export const contract = from("Contract");
export const draft = section("Draft");
export const problemDetails = section("RFC 9457");
export const http = section("RFC 9110");
export const caching = section("RFC 9111");
export const uuid = section("RFC 9562");
export const json = section("RFC 8259");
export const jws = section("RFC 7515");
export const tokenPractice = section("RFC 8725");
export const bearerTokens = section("RFC 6750");
export const cookies = section("RFC 6265");

/** A clause as text, such as `RFC 9110, section 9.3.2`. */
export const nameOf = ({ document, clause }) => `${document}, ${clause}`;
