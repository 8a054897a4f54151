import { heading, list, type Page, paragraph, samples, table } from "../page.ts";
import { curl } from "./curl.ts";
import { connect } from "./sdk.ts";

const REMEMBER = {
  serviceId: "managed-memory",
  operationId: "put",
  input: { name: "customer-17", content: "Paid." },
};

/** Returns the guide to the concurrency and the priority of runs. */
export function flowControlPage(baseUrl: string): Page {
  const create = (more: object, filter: string) => ({
    sh: `${curl(baseUrl, "POST /v1/runs", { body: { ...REMEMBER, ...more } })} | jq -e '${filter}'`,
    ts: `console.log(await platform.runs.create(${JSON.stringify({ ...REMEMBER, ...more })}));`,
  });
  const bounded = create(
    {
      concurrency: [
        { key: "crm-api", limit: 20 },
        { key: "customer-17", limit: 1, hold: "live" },
      ],
    },
    ".run.concurrency | length == 2",
  );
  const debounced = create({ debounce: { key: "customer-17", seconds: 30, maxSeconds: 600 } }, ".debounced");
  const tagged = create({ priority: 5, tags: ["import", "customer-17"] }, '.run.tags | index("import") == 0');
  const items = ["Paid.", "Shipped."].map((content, nth) => ({
    ...REMEMBER,
    input: { name: `order-${nth + 1}`, content },
  }));
  return {
    path: "/docs/flow-control",
    title: "Flow control",
    lead: "Limit how many runs execute at once, choose their order, and merge several calls into one run.",
    blocks: [
      heading("So many at once"),
      paragraph(
        "`concurrency` names up to three keys. Each key limits the number of concurrent runs, of any service, within the account, the project and the end user; a run starts when all of its keys have a free slot. For example, you can allow one run per customer and twenty per external API at the same time.",
      ),
      samples({ ...bounded, ts: `${connect(baseUrl)}\n${bounded.ts}` }),
      table(
        ["`hold`", "When the slot is free for others"],
        [
          [
            "`running` (the default)",
            "while the run waits for a time, an event, an approval or its next attempt; it needs a free slot to continue",
          ],
          ["`live`", "when the run has ended"],
        ],
      ),
      list([
        "A run that waits for a slot is `queued`, or `running` if it had begun, and its `waitingFor` names the key. The runs of a key start by priority, then in the order of creation.",
        "If runs give the same key different limits, the newest run's limit applies, also to earlier runs.",
        "A [retry](/docs/runs.retry) has the keys of its run, and does not change their current limits.",
        "A run whose worker dies keeps its slot until another worker continues it.",
      ]),
      heading("Which first"),
      paragraph(
        "`priority`, -10 to 10, orders the account's waiting runs: each point counts as a minute of waiting, so no run waits forever. It does not delay other accounts' runs. `tags` help you find runs: up to ten of 64 characters. Keys and tags are stored in clear text on every privacy tier.",
      ),
      samples(tagged),
      samples({
        sh: `${curl(baseUrl, "GET /v1/runs?tag=import")} | jq -e '.runs | length == 1'`,
        ts: `console.log((await platform.runs.list({ tag: "import" })).items.length);`,
      }),
      heading("One run for many calls"),
      paragraph(
        "With `debounce`, a run starts when no further call with the key has arrived for this many `seconds`, and after `maxSeconds` at the latest. The last call's input, caller and other fields replace the earlier ones. Each call responds 202 with that run and `debounced`, and a repeat with the same idempotency key gets the same response.",
      ),
      samples(debounced),
      heading("Many runs by one call"),
      paragraph(
        "A batch creates up to 100 runs. Each is checked, limited and charged like a separate call, and a refused run does not stop the others: each result has `ok`, `run` and `error`.",
      ),
      samples({
        sh: `${curl(baseUrl, "POST /v1/runs/batch", { body: { items } })} | jq -e '[.results[].ok] == [true, true]'`,
        ts: `const results = await platform.runs.batch(${JSON.stringify({ items })});\nconsole.log(results.map(({ ok }) => ok));`,
      }),
      paragraph(
        "[Triggers](/docs/schedules) accept all of these in `start`; `debounce` only if events start their runs.",
      ),
    ],
  };
}
