import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceFolder } from "#server/source-folder.ts";
import { heading, json, list, type Page, paragraph, samples, shell, table } from "../page.ts";
import { connect } from "./sdk.ts";

const exampleFolder = () => join(sourceFolder(), "server/testing/example-service");

const HEADERS = [
  [
    "`webhook-id`, `webhook-timestamp`, `webhook-signature`",
    "Proof that the platform sent it: Standard Webhooks, keyed by `signingSecret`. Refuse anything else with 401.",
  ],
  [
    "`Idempotency-Key`",
    "The same whenever the same call is sent again. Act once under it, and answer the same.",
  ],
  ["`X-Request-Id`", "The platform's id of the request; of a run, the run's."],
  [
    "`Authorization`, or another",
    "The credential of the connection that the caller named, where your host is one that it is for.",
  ],
];

const ANSWERS = [
  ["2xx with JSON", "The result. It must keep to `outputSchema`, else the caller gets 502 and pays nothing."],
  [
    "`X-Service-Credits-Charged`",
    "What to charge; without it the price's `credits`. Above `maximum`, negative, or other than the price where the unit is `call`: 502, uncharged.",
  ],
  ["`X-Request-Id`", "Your id of the request, handed on as `X-Service-Upstream-Request-Id`."],
  [
    "429, 503 with `Retry-After`",
    "Handed on as 429 `service_rate_limited` and 503 `service_unavailable`, with the wait that you ask for.",
  ],
  [
    "Another 4xx",
    "The caller gets 502 `service_failed` with your status and `error.message`. Nothing is charged.",
  ],
  [
    "5xx",
    "The caller gets 502 `service_failed`. Nothing is charged; a repeat comes under the same `Idempotency-Key`.",
  ],
  [
    "Nothing in `timeoutMs`",
    "The caller gets 504 `service_timeout`. What the call may cost stays set aside until a repeat learns what happened, for 24 hours at most.",
  ],
];

/** Returns the guide to operators' own services; the tests run its example. */
export function servicesPage(baseUrl: string): Page {
  return {
    path: "/docs/operator-services",
    title: "Services of your own",
    lead: "An operator offers services beside the platform's: keys, limits, approvals, credits, idempotency and audit hold for them as for any other.",
    blocks: [
      heading("The manifest"),
      paragraph(
        "`SERVICES_FILE` names a JSON file. Each operation says what it takes and answers (JSON Schema 2020-12), whether it is invoked or runs durably, and what it costs. Patterns are those of RE2, without look-around and backreferences. The unit `call` is an exact price; any other is charged as the service reports, up to `maximum`, which is set aside beforehand.",
      ),
      json(JSON.parse(readFileSync(join(exampleFolder(), "services.json"), "utf8"))),
      heading("What your service gets"),
      paragraph(
        "`POST` to `baseUrl` and the operation's `path`, with `{ operationId, input, context: { accountId, projectId, endUser, requestId } }`. The input has been checked.",
      ),
      table(["Header", "Meaning"], HEADERS),
      heading("What it answers"),
      table(["Answer", "Meaning"], ANSWERS),
      paragraph(
        "After five failures in a row it gets a rest: calls are answered 503 with `Retry-After`, and the service is `degraded` in `GET /services` until one has worked again.",
      ),
      heading("An example"),
      paragraph("The service that this manifest declares, in TypeScript:"),
      { type: "code", language: "ts", text: readFileSync(join(exampleFolder(), "service.ts"), "utf8") },
      heading("Trying it"),
      list([
        "Start your service, then let the platform look at it. Nothing is changed: only operations that are `readOnly` and have an example are called.",
        "Put the manifest's path into `SERVICES_FILE`, and start the platform.",
        "Keys without a boundary of their own reach the new service at once; others need it in theirs.",
      ]),
      shell("npm run services -- check services.json"),
      samples({
        sh: `curl "${baseUrl}/v1/services/example-desk/invoke" \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -H "Content-Type: application/json" \\\n  -d '{ "operationId": "greet", "input": { "name": "Ada" } }'`,
        ts: `${connect(baseUrl)}
const greeted = await platform.services.invoke("example-desk", {
  operationId: "greet",
  input: { name: "Ada" },
});
console.log(greeted.result);`,
      }),
    ],
  };
}
