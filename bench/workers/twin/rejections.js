// Why no receipt is given: status, what the client may do, title, detail, seconds to wait.

const REJECTIONS = {
  not_found: [404, "fix_request", "There is nothing here", "The service has no such path."],
  method_not_allowed: [
    405,
    "fix_request",
    "The method is not allowed here",
    "The header Allow lists the methods of this path.",
  ],
  cross_site: [
    403,
    "fix_request",
    "The request comes from another site",
    "Expected a request that no page of another site has made.",
  ],
  not_configured: [
    503,
    "same_key",
    "The service is not set up",
    "The database, its migrations or the secret are missing. Nothing was done.",
  ],
  content_type: [
    415,
    "fix_request",
    "The body is not said to be JSON",
    "Expected the header Content-Type: application/json.",
  ],
  body_too_large: [
    413,
    "fix_request",
    "The body is too large",
    "Expected a body of at most 1024 bytes.",
  ],
  actor_required: [
    401,
    "same_key",
    "It is not known who asks",
    "Expected the cookie that GET /session sets, or a bearer token of this service.",
  ],
  actor_changed: [
    403,
    "same_key",
    "Somebody else asks now",
    "Einmal-Actor names another actor than the one who asks. Send the operation as the actor that it belongs to.",
  ],
  operation_id: [
    400,
    "fix_request",
    "The operation has no valid key",
    "Expected exactly one header Idempotency-Key: a UUID version 4 in lower case, bare or in double quotes.",
  ],
  malformed_body: [
    400,
    "fix_request",
    "The body is not JSON",
    "Expected one JSON value in UTF-8 and nothing else, whole within 10 seconds.",
  ],
  request_contract: [422, "fix_request", "The body is not what is expected", ""],
  operation_conflict: [
    409,
    "fix_request",
    "The key belongs to another intention",
    "This key has a receipt for other values. The receipt, and what it says, stay as they were.",
  ],
  rate_limited: [
    429,
    "same_key",
    "Too many requests",
    "At most 60 new operations a minute for each actor, and 600 requests a minute for each address. Nothing was done.",
    "60",
  ],
  unknown_workshop: [
    404,
    "fix_request",
    "No such workshop is on offer",
    "No workshop with this id is on offer. Nothing was done.",
  ],
  internal_error: [
    500,
    "same_key",
    "The service is at fault",
    "The service made a mistake, and its operator is told. Nothing was done.",
  ],
  outcome_unknown: [
    503,
    "same_key",
    "The outcome is not known",
    "The database did not answer: it may or may not have been done. Send the same request with the same key again.",
    "2",
  ],
};

/** The answer of a rejection: a problem document. */
export function rejection(error, detail = REJECTIONS[error][3]) {
  const [status, retry, title, , retryAfter] = REJECTIONS[error];
  const document = { type: `/contract#${error}`, title, status, detail, error, retry };
  const type = "application/problem+json";
  return { status, outcome: error, type, retryAfter, body: JSON.stringify(document) };
}
