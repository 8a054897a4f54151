/** What holds for every operation, for the reference and the OpenAPI document. Paragraphs; `code` in backticks. */
export const CONVENTIONS: readonly { id: string; title: string; paragraphs: readonly string[] }[] = [
  {
    id: "envelopes",
    title: "Envelopes",
    paragraphs: [
      'Every answer is JSON with `ok`. A success is `{ "ok": true, … }` with the thing or the list beside it; a failure is `{ "ok": false, "error": { … } }`. Check `ok`, then `error.code`. `Accept: application/problem+json` gets the same failure as RFC 9457.',
      "Every answer carries `X-Request-Id`; name it when you ask for help. Fields and operations may be added at any time: ignore what you don't know.",
    ],
  },
  {
    id: "authentication",
    title: "Authentication",
    paragraphs: [
      "Send `Authorization: Bearer <API key>`. A key stands in a header only, never in a URL or a body, and never in a browser or a mobile app: those call your backend, which calls the platform.",
      "A call passes four checks in this order: the scope, the service, the operation, the limits, each of the key and of every key above it. `GET /actions` explains the outcome for each operation.",
    ],
  },
  {
    id: "projects-and-end-users",
    title: "Projects and end users",
    paragraphs: [
      "`X-Service-Project` selects a project for an account-level key, `X-Service-End-User` one of your own users. What you create then belongs to them, and you see nothing else. A key that is bound to a project or an end user stays there.",
      "What belongs to another account, project, end user or branch answers exactly like what does not exist: 404 `not_found`.",
    ],
  },
  {
    id: "idempotency",
    title: "Idempotency",
    paragraphs: [
      "Operations that change something need an `Idempotency-Key` of 8 to 200 letters, digits, colons, periods, underscores or hyphens. The same key with the same input never acts twice: the stored answer comes again, with `Idempotent-Replayed: true`. With other input it is 409 `idempotency_key_reused`.",
      "Keys belong to the API key that sent them. Answers are kept for 24 hours, and for 30 days where money moves. A refusal before anything happened is not stored: correct the call and send it again.",
    ],
  },
  {
    id: "paging",
    title: "Paging",
    paragraphs: [
      "Lists are answered newest first, `limit` (1 to 100, by default 25) at a time. Pass `nextCursor` as `cursor`, with the same filters, until it is null. Pages stay stable while things are added.",
    ],
  },
  {
    id: "errors",
    title: "Errors",
    paragraphs: [
      "`error.code` is for programs, `error.message` for people, `error.docUrl` explains the code. `error.issues` names every faulty field at once. `error.retryable` tells whether the same call can succeed later, `Retry-After` when.",
      "`error.operationState` is a promise: `not_started` means that nothing happened and the same call may be sent again; `in_progress`, `completed` and `unknown` mean what they say.",
    ],
  },
  {
    id: "limits",
    title: "Limits",
    paragraphs: [
      "A key may carry limits by selector: calls in any 60 seconds, calls at a time, credits a day. Each counts for the key and all keys below it. `RateLimit-Policy` and `RateLimit` tell the state on every answer that a limit governed; 429 adds `Retry-After` and `X-Service-Limit-Operation`.",
    ],
  },
  {
    id: "values",
    title: "Values",
    paragraphs: [
      "Times are ISO 8601 in UTC with milliseconds. Ids begin with what they are the id of (`proj_…`). Amounts, prices and USD values are decimal strings; credits are integers, 1,000 to the US dollar. Every field is always present; what is empty is null.",
      "An unknown field or query parameter is refused, so that a misspelt one is never ignored. `PATCH` changes only what is sent; null clears. A JSON body has at most 1 MB.",
    ],
  },
  {
    id: "versioning",
    title: "Versioning",
    paragraphs: [
      "The version is in the path, `/v1`. An operation that goes away, or changes incompatibly, is deprecated at least 30 days before: it stands in the changelog with what replaces it, answers with `Deprecation`, `Sunset` and a `Link` to its successor, and works until that date.",
    ],
  },
];
