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
    lead: "How many runs go on at once, which of them first, and which calls become one.",
    blocks: [
      heading("So many at once"),
      paragraph(
        "`concurrency` names up to three keys. Under each of them only so many runs go on at once, whichever service they are of, within the account, the project and the end user; a run starts when all of its keys have room. So one run per customer and twenty per outside API hold together.",
      ),
      samples({ ...bounded, ts: `${connect(baseUrl)}\n${bounded.ts}` }),
      table(
        ["`hold`", "When others may go on"],
        [
          [
            "`running` (the default)",
            "while the run waits for time, an event, an approval or its next attempt; it needs room again to go on",
          ],
          ["`live`", "when the run has ended"],
        ],
      ),
      list([
        "A run that waits for room is `queued`, or `running` where it had begun, and its `waitingFor` names the key. Those of a key start by priority, then in the order in which they came.",
        "Of several limits of a key the newest run's counts, for those that were created before too.",
        "A [retry](/docs/runs.retry) has the keys of its run, and leaves the limits as they are by then.",
        "A run whose worker dies keeps its place until another worker goes on with it.",
      ]),
      heading("Which first"),
      paragraph(
        "`priority`, -10 to 10, orders the runs of the account that wait: each point counts as a minute of waiting, so none waits for ever. Other accounts' runs wait no longer for it. `tags` find runs again: up to ten of 64 characters. Keys and tags are stored as they are, on every privacy tier.",
      ),
      samples(tagged),
      samples({
        sh: `${curl(baseUrl, "GET /v1/runs?tag=import")} | jq -e '.runs | length == 1'`,
        ts: `console.log((await platform.runs.list({ tag: "import" })).items.length);`,
      }),
      heading("One run for many calls"),
      paragraph(
        "With `debounce` a run starts once no further call has come under the key for so many `seconds`, and after `maxSeconds` at the latest. The last call's input, caller and everything else replace what was said before. Each call answers 202 with that run and `debounced`, and a repeat under its idempotency key answers as it did.",
      ),
      samples(debounced),
      heading("Many runs by one call"),
      paragraph(
        "A batch creates up to 100 runs. Each is judged, limited and charged as a call of its own, and what is refused for one stops no other: it has `ok`, `run` and `error`.",
      ),
      samples({
        sh: `${curl(baseUrl, "POST /v1/runs/batch", { body: { items } })} | jq -e '[.results[].ok] == [true, true]'`,
        ts: `const results = await platform.runs.batch(${JSON.stringify({ items })});\nconsole.log(results.map(({ ok }) => ok));`,
      }),
      paragraph(
        "[Triggers](/docs/schedules) take all of these in `start`; `debounce` where events start their runs.",
      ),
    ],
  };
}
