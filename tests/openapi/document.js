// Reads docs/openapi.yaml for the tests, and validates responses against it.

import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { parse } from "yaml";

/** The whole document. */
export const document = parse(readFileSync("docs/openapi.yaml", "utf8"), { maxAliasCount: 10 });

const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
formats(ajv);
// The schemas use no OpenAPI keywords; the rest of the document is not a schema.
for (const word of Object.keys(document)) ajv.addKeyword(word);
ajv.addSchema(document, "openapi");

/** What a `$ref` stands for; everything else is itself. */
export function resolve(node) {
  if (node?.$ref === undefined) return node;
  const path = node.$ref.replace(/^#\//, "").split("/");
  return path.reduce((at, name) => at[name], document);
}

/** What is wrong with a value, in words; nothing if it fits. */
export function misfit(schema, value) {
  const validate = ajv.compile(absolute(schema));
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

/** The same schema with references that hold outside of the document. */
function absolute(schema) {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/');
  return JSON.parse(text);
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Every operation: its path, its method and its responses by status. */
export function operations() {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      path,
      method: method.toUpperCase(),
      parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(resolve),
      requestBody: item[method].requestBody,
      responses: Object.fromEntries(
        Object.entries(item[method].responses).map(([status, response]) => [
          status,
          resolve(response),
        ]),
      ),
    })),
  );
}

/** The codes and outcomes that a media type's schema allows, such as `operation_id`. */
export function wordsOf({ schema }) {
  const one = resolve(schema);
  const choices = (one.oneOf ?? [one]).map(resolve);
  return choices.map(({ allOf, properties }) => {
    const members = allOf?.at(-1).properties ?? properties;
    return members.error?.const ?? members.status?.const ?? "a document";
  });
}

/** The word of an answer that {@link wordsOf} has for it. */
export function wordOf(type, body) {
  if (type === "application/problem+json") return body.error;
  return body.http_status === undefined && typeof body.status === "string"
    ? body.status
    : "a document";
}

/** Every answer that is documented, a line each: `POST /reserve 201 reserved`. */
export function documentedAnswers() {
  return operations().flatMap(({ method, path, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.values(content).flatMap((media) =>
        wordsOf(media).map((word) => `${method} ${path} ${status} ${word}`),
      ),
    ),
  );
}
