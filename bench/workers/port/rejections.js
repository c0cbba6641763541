// The rejections: status, what the client may retry, title, detail, seconds to wait.

const REJECTIONS = {
  not_found: [404, "fix_request", "Not found", "The service has no such path."],
  method_not_allowed: [
    405,
    "fix_request",
    "Method not allowed",
    "The Allow header lists the methods of this path.",
  ],
  cross_site: [
    403,
    "fix_request",
    "Cross-site request rejected",
    "Expected Sec-Fetch-Site to be same-origin, none or absent, and Origin to be this service's or absent.",
  ],
  not_configured: [
    503,
    "same_key",
    "Service not configured",
    "The database, its migrations or the secret are missing. Nothing was done.",
  ],
  content_type: [
    415,
    "fix_request",
    "Content-Type must be application/json",
    "Expected the header Content-Type: application/json.",
  ],
  body_too_large: [413, "fix_request", "Body too large", "Expected a body of at most 1024 bytes."],
  actor_required: [
    401,
    "same_key",
    "Authentication required",
    "Expected the session cookie that GET /session sets, or a bearer token of this service.",
  ],
  actor_changed: [
    403,
    "same_key",
    "The actor has changed",
    "Einmal-Actor is not the id of the authenticated actor. Send the operation as the actor that it belongs to.",
  ],
  operation_id: [
    400,
    "fix_request",
    "Missing or malformed idempotency key",
    "Expected exactly one Idempotency-Key header: a UUID version 4 in lower case, bare or in double quotes.",
  ],
  malformed_body: [
    400,
    "fix_request",
    "Body is not valid JSON",
    "Expected one JSON value in UTF-8 and nothing else, received completely within 10 seconds.",
  ],
  request_contract: [422, "fix_request", "Invalid request body", ""],
  operation_conflict: [
    409,
    "fix_request",
    "Idempotency key reused with another payload",
    "The key has a receipt for another payload, which is unchanged.",
  ],
  rate_limited: [
    429,
    "same_key",
    "Too many requests",
    "Too many new operations by this actor, or too many requests from this address. Nothing was done.",
    "60",
  ],
  unknown_workshop: [
    404,
    "fix_request",
    "Workshop not found",
    "No workshop with this id is on offer. Nothing was done.",
  ],
  internal_error: [
    500,
    "same_key",
    "Internal error",
    "The service itself is at fault; its log has the cause. Nothing was done.",
  ],
  outcome_unknown: [
    503,
    "same_key",
    "Outcome unknown",
    "The database did not answer: the operation may or may not have been carried out. Send the same request with the same key again.",
    "2",
  ],
};

/** The response of a rejection: a problem document. */
export function rejection(error, detail = REJECTIONS[error][3]) {
  const [status, retry, title, , retryAfter] = REJECTIONS[error];
  const document = { type: `/contract#${error}`, title, status, detail, error, retry };
  const type = "application/problem+json";
  return { status, outcome: error, type, retryAfter, body: JSON.stringify(document) };
}
