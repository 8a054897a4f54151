/** The conventions of all operations, for the reference and the OpenAPI document. Paragraphs; `code` in backticks. */
export const CONVENTIONS: readonly { id: string; title: string; paragraphs: readonly string[] }[] = [
  {
    id: "envelopes",
    title: "Envelopes",
    paragraphs: [
      'Every response is JSON with `ok`. A success is `{ "ok": true, … }` with the resource or the list beside it; a failure is `{ "ok": false, "error": { … } }`. Check `ok`, then `error.code`. `Accept: application/problem+json` gets the same failure as RFC 9457.',
      "Every response has an `X-Request-Id`; quote it when you ask for help. Fields and operations may be added at any time: ignore what you don't know.",
    ],
  },
  {
    id: "authentication",
    title: "Authentication",
    paragraphs: [
      "Send `Authorization: Bearer <API key>`. Send a key in this header only, never in a URL or a body. Never put one into a browser or a mobile app: let those call your backend, which calls the platform.",
      "A call passes four checks in this order: the scope, the service, the operation, the limits, each of the key and of every key above it. `GET /actions` explains the outcome for each operation.",
    ],
  },
  {
    id: "projects-and-end-users",
    title: "Projects and end users",
    paragraphs: [
      "`X-Service-Project` selects a project for an account-level key, `X-Service-End-User` one of your own users. Resources that you create then belong to that project or end user, and you see nothing else. A key that is bound to a project or an end user can't select another.",
      "A resource of another account, project, end user or key branch gets the same response as one that does not exist: 404 `not_found`.",
    ],
  },
  {
    id: "idempotency",
    title: "Idempotency",
    paragraphs: [
      "Operations that change something need an `Idempotency-Key` of 8 to 200 letters, digits, colons, periods, underscores or hyphens. The same key with the same input never acts twice: the repeat gets the stored response, with `Idempotent-Replayed: true`. With different input the response is 409 `idempotency_key_reused`.",
      "Idempotency keys are separate for each API key. Responses are stored for 24 hours, and for 30 days if the operation moves money. A refusal before anything happened is not stored: correct the call and send it again.",
    ],
  },
  {
    id: "paging",
    title: "Paging",
    paragraphs: [
      "Lists return resources newest first, `limit` (1 to 100, by default 25) per page. Pass `nextCursor` as `cursor`, with the same filters, until it is null. Pages stay stable while resources are added.",
    ],
  },
  {
    id: "errors",
    title: "Errors",
    paragraphs: [
      "`error.code` is for programs, `error.message` for people, `error.docUrl` explains the code. `error.issues` names every faulty field at once. `error.retryable` says whether the same call can succeed later, `Retry-After` after how many seconds.",
      "`error.operationState` is a guarantee. `not_started`: nothing happened, and the same call may be sent again. `in_progress`: the call is still running. `completed`: it has taken effect. `unknown`: it may have taken effect.",
    ],
  },
  {
    id: "limits",
    title: "Limits",
    paragraphs: [
      "A key may carry limits by selector: calls in any 60 seconds, calls at a time, credits a day. Each limit counts the calls of the key and of all keys below it. `RateLimit-Policy` and `RateLimit` show the state of each limit that applied to the call; a 429 adds `Retry-After` and `X-Service-Limit-Operation`.",
    ],
  },
  {
    id: "values",
    title: "Values",
    paragraphs: [
      "Times are ISO 8601 in UTC with milliseconds. Ids begin with a prefix for their kind (`proj_…`). Amounts, prices and USD values are decimal strings; credits are integers, 1,000 to the US dollar. Every field is always present; an empty one is null.",
      "An unknown field or query parameter is refused, so that a misspelt one is never ignored. `PATCH` changes only the sent fields; null clears. A JSON body has at most 1 MB.",
    ],
  },
  {
    id: "versioning",
    title: "Versioning",
    paragraphs: [
      "The version is in the path, `/v1`. An operation is deprecated at least 30 days before it is removed or changed incompatibly: the changelog names its replacement, its responses have `Deprecation`, `Sunset` and a `Link` to the successor, and it works until that date.",
    ],
  },
];
