// The sources of the conditions, and how the report and docs/conformance.md cite and link them.

const rfc = (number, title) => ({
  title,
  section: (section) => `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
});

const internetDraft = (name, title) => ({
  title: `${name}, ${title}`,
  section: (section) => `https://datatracker.ietf.org/doc/html/${name}#section-${section}`,
});

/** The documents, by the short name in a citation. */
export const documents = {
  "RFC 9110": rfc(9110, "HTTP Semantics"),
  "RFC 9111": rfc(9111, "HTTP Caching"),
  "RFC 9112": rfc(9112, "HTTP/1.1"),
  "RFC 6585": rfc(6585, "Additional HTTP Status Codes"),
  "RFC 9457": rfc(9457, "Problem Details for HTTP APIs"),
  "RFC 9651": rfc(9651, "Structured Field Values for HTTP"),
  "RFC 8259": rfc(8259, "The JavaScript Object Notation (JSON) Data Interchange Format"),
  "RFC 9562": rfc(9562, "Universally Unique IDentifiers (UUIDs)"),
  "RFC 6265": rfc(6265, "HTTP State Management Mechanism"),
  "RFC 6265bis": internetDraft(
    "draft-ietf-httpbis-rfc6265bis-20",
    "Cookies: HTTP State Management Mechanism",
  ),
  "RFC 6750": rfc(6750, "Bearer Token Usage"),
  "RFC 7515": rfc(7515, "JSON Web Signature (JWS)"),
  "RFC 8725": rfc(8725, "JSON Web Token Best Current Practices"),
  "Idempotency-Key": internetDraft(
    "draft-ietf-httpapi-idempotency-key-header-07",
    "The Idempotency-Key HTTP Header Field",
  ),
};

const sectionOf = (document) => (section) => ({
  name: `${document}, ${section}`,
  link: documents[document].section(section),
});

export const http = sectionOf("RFC 9110");
export const caching = sectionOf("RFC 9111");
export const http1 = sectionOf("RFC 9112");
export const statusCodes = sectionOf("RFC 6585");
export const problemDetails = sectionOf("RFC 9457");
export const structuredFields = sectionOf("RFC 9651");
export const json = sectionOf("RFC 8259");
export const uuid = sectionOf("RFC 9562");
export const cookies = sectionOf("RFC 6265");
export const cookiesDraft = sectionOf("RFC 6265bis");
export const bearerTokens = sectionOf("RFC 6750");
export const signatures = sectionOf("RFC 7515");
export const tokenPractices = sectionOf("RFC 8725");
export const draft = sectionOf("Idempotency-Key");

/** A section of docs/contract.md, by its heading. */
export const contract = (heading) => ({
  name: `Contract, ${heading}`,
  link: `contract.md#${anchorOf(heading)}`,
  heading,
});

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading) {
  const kept = heading.toLowerCase().replace(/[^\w\s-]/g, "");
  return kept.replaceAll(" ", "-");
}
