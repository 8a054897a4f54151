import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceFolder } from "#server/base/source-folder.ts";
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
    "The same for every repeat of a call. Act once per key, and return the same response to repeats.",
  ],
  ["`X-Request-Id`", "The platform's id of the request, or of the run."],
  [
    "`Authorization`, or another",
    "The credential of the connection that the caller named, if the connection allows your host.",
  ],
];

const ANSWERS = [
  [
    "2xx with JSON",
    "The result. It must match `outputSchema`, otherwise the caller gets 502 and pays nothing.",
  ],
  [
    "`X-Service-Credits-Charged`",
    "The charge; without it, the price's `credits`. A charge that is negative, above `maximum`, or different from the price of the unit `call` causes a 502, and nothing is charged.",
  ],
  ["`X-Request-Id`", "Your id of the request, passed on as `X-Service-Upstream-Request-Id`."],
  [
    "429, 503 with `Retry-After`",
    "Passed on as 429 `service_rate_limited` and 503 `service_unavailable`, with your waiting time.",
  ],
  [
    "Another 4xx",
    "The caller gets 502 `service_failed` with your status and `error.message`. Nothing is charged.",
  ],
  [
    "5xx",
    "The caller gets 502 `service_failed`. Nothing is charged; a repeat has the same `Idempotency-Key`.",
  ],
  [
    "No response within `timeoutMs`",
    "The caller gets 504 `service_timeout`. The call's maximum price stays reserved until a repeat finds out the outcome, for 24 hours at most.",
  ],
];

/** Returns the guide to operators' own services; the tests run its example. */
export function servicesPage(baseUrl: string): Page {
  return {
    path: "/docs/operator-services",
    title: "Services of your own",
    lead: "An operator can offer services in addition to the platform's: keys, limits, approvals, credits, idempotency and audit apply to them like to any other.",
    blocks: [
      heading("The manifest"),
      paragraph(
        "`SERVICES_FILE` names a JSON file. Each operation declares its input and output (JSON Schema 2020-12), whether it is invoked or runs durably, and its price. Patterns use RE2's syntax, without look-around and backreferences. With the unit `call`, the price is exact; with any other unit, the service reports the charge, up to `maximum`, which is reserved beforehand.",
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
        "After five failures in a row, the platform pauses calls: they are answered 503 with `Retry-After`, and the service is `degraded` in `GET /services` until a call succeeds again.",
      ),
      heading("An example"),
      paragraph("The service that this manifest declares, in TypeScript:"),
      { type: "code", language: "ts", text: readFileSync(join(exampleFolder(), "service.ts"), "utf8") },
      heading("Trying it"),
      list([
        "Start your service, then let the platform check it. The check changes nothing: it calls only operations that are `readOnly` and have an example.",
        "Set `SERVICES_FILE` to the manifest's path, and start the platform.",
        "Keys without a service boundary can use the new service at once; other keys need it in their boundary.",
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
