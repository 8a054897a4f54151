import { heading, list, type Page, paragraph, samples, table } from "../page.ts";
import { curl } from "./curl.ts";
import { connect } from "./sdk.ts";

/** Returns the guide to repeating calls safely. */
export function idempotencyPage(baseUrl: string): Page {
  const put = {
    body: { operationId: "put", input: { content: "Only once." } },
    idempotencyKey: "$ORDER",
  };
  return {
    path: "/docs/idempotency",
    title: "Repeating a call safely",
    lead: "Networks lose responses. With the same `Idempotency-Key`, the same call never acts twice.",
    blocks: [
      heading("The same call again"),
      paragraph(
        "Create the key before the first attempt, from the subject of the call or at random, store it with your own record, and send it with every attempt.",
      ),
      samples({
        sh: [
          "ORDER=order-$(uuidgen)",
          `${curl(baseUrl, "POST /v1/services/managed-memory/invoke", put)} | jq -r .result.memory.id`,
          `${curl(baseUrl, "POST /v1/services/managed-memory/invoke", put)} -i | grep -i "^idempotent-replayed: true"`,
        ].join("\n"),
        ts: `${connect(baseUrl)}
const order = { idempotencyKey: \`order-\${crypto.randomUUID()}\` };
const put = { operationId: "put" as const, input: { content: "Only once." } };
const first = await platform.services.invoke("managed-memory", put, order);
const second = await platform.services.invoke("managed-memory", put, order).withResponse();
console.log(first.result.memory.id, second.replayed);`,
      }),
      paragraph("The second response is a copy of the first one, and nothing was charged for it."),
      heading("How to handle each response"),
      table(
        ["You got", "What it means", "What to do"],
        [
          ["no response", "the call may have taken effect, or not", "send the same call with the same key"],
          [
            "2xx",
            "it happened, once",
            "continue; a repeat replays this response for 24 hours, or for 30 days if the call moves money",
          ],
          ["4xx", "nothing happened (`operationState: not_started`)", "fix the call; the key is still free"],
          [
            "409 [idempotency_in_progress](/docs/errors/idempotency_in_progress)",
            "the first attempt is still running",
            "wait for `Retry-After`, then send the same call again",
          ],
          [
            "409 [idempotency_key_reused](/docs/errors/idempotency_key_reused)",
            "the key was used for another input",
            "use a new key, if this is another action",
          ],
          ["503 with `not_started`", "nothing happened", "send the same call again, after `Retry-After`"],
          [
            "504 [service_timeout](/docs/errors/service_timeout)",
            "the outcome is `unknown`",
            "send the same call again: it asks the same service with the same key",
          ],
        ],
      ),
      heading("The fine print"),
      list([
        "8 to 200 letters, digits, colons, periods, underscores or hyphens.",
        "Keys belong to the API key that sent them: sibling keys may use the same value.",
        "The input is method, path, query, body, project, end user and content type. The order of fields in JSON does not matter.",
      ]),
    ],
  };
}
