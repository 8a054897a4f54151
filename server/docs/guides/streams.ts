import { code, heading, list, type Page, paragraph, samples } from "../page.ts";
import { connect } from "./sdk.ts";

/** Returns the guide to streams of events. */
export function streamsPage(baseUrl: string): Page {
  return {
    path: "/docs/streams",
    title: "Streams",
    lead: "Receive events as they happen, over one open request: server-sent events, which every language can read and which resume where they broke off.",
    blocks: [
      heading("Follow a run"),
      paragraph(
        "[`GET /v1/runs/{runId}/events`](/docs/runs.follow) sends each entry of the timeline as `timeline`, starting with the first, then the ended run as `run`, and ends.",
      ),
      samples({
        sh: `RUN_ID=$(curl -s -X POST "${baseUrl}/v1/runs" -H "Authorization: Bearer $API_KEY" -H "Idempotency-Key: $(uuidgen)" -H "Content-Type: application/json" -d '{"serviceId":"managed-memory","operationId":"list","input":{}}' | jq -r .run.id)
curl -N --max-time 60 "${baseUrl}/v1/runs/$RUN_ID/events" -H "Authorization: Bearer $API_KEY"`,
        ts: `${connect(baseUrl)}
const run = await platform.runs.create({ serviceId: "managed-memory", operationId: "export", input: {} });
for await (const entry of platform.runs.follow(run.id)) console.log(entry.type, entry.message);`,
      }),
      paragraph(
        "While a model writes, `output` events show its text, twice a second: each has the `step`, the `offset` at which it begins, and `text`. The text of a step becomes `text.slice(0, offset) + event.text`, so that a restarted step replaces its earlier text. The text is a preview; the step's result in the run is authoritative. The privacy tier `strict` has no such events.",
      ),
      code(
        "ts",
        `const answering = await platform.runs.create({
  serviceId: "managed-agents",
  operationId: "respond",
  input: { input: "Which project used the most credits this week?" },
});
let answer = "";
const onOutput = ({ offset, text }: { offset: number; text: string }) => {
  answer = answer.slice(0, offset) + text;
};
for await (const entry of platform.runs.follow(answering.id, { onOutput })) console.log(entry.message, answer);`,
      ),
      paragraph(
        "If a single response is enough, [read](/docs/runs.read) the run with `waitSeconds` (up to 50): the call responds when the run has ended. As a tool of MCP, it reports each step meanwhile by `notifications/progress` if the caller sends a `progressToken`.",
      ),
      heading("Follow the account"),
      paragraph(
        "[`GET /v1/events`](/docs/events.follow) sends the events that [webhooks](/docs/webhooks) get, without a public server of yours: each [event](/docs/events) under its type, byte for byte the body of a delivery, and only events that the calling key can read. It begins with new events.",
      ),
      code(
        "ts",
        `for await (const event of platform.events.follow({ types: ["run.*", "approval.requested"] })) {
  if (event.type === "run.failed") console.log(event.data.run.error);
}`,
      ),
      paragraph(
        "Events are stored for an hour after the last stream has ended. An older id gets 410 `cursor_expired`: connect without one, and read the resources that may have changed meanwhile.",
      ),
      heading("Show a run in a browser"),
      paragraph(
        "Never put a key into a browser. [Reading a run](/docs/runs.read) returns `watchUrl`: for a quarter of an hour, it sends status, progress, messages and the models' text to any page, never input, data or result. Anybody with the address can watch, so give it only to users of yours who may read the text of this run's models. It ends with the key that read it. The privacy tier `strict` has no such address.",
      ),
      code(
        "ts",
        `const source = new EventSource(watchUrl);
source.addEventListener("timeline", ({ data }) => console.log(JSON.parse(data).message));
let written = "";
source.addEventListener("output", ({ data }) => {
  const { offset, text } = JSON.parse(data);
  written = written.slice(0, offset) + text;
});
source.addEventListener("run", ({ data }) => {
  console.log(JSON.parse(data).run.status);
  source.close();
});`,
      ),
      heading("Resuming after an interruption"),
      paragraph(
        "Each event has an `id`. Connect again with the last one as `Last-Event-ID`, and the stream continues after it: no event is lost or repeated, whether your process, ours or the network failed. An `EventSource` does so automatically, and so does the SDK.",
      ),
      list([
        "`retry` says how many milliseconds to wait before connecting again. A server that is about to stop sends a random time, so that not all clients reconnect at once.",
        "A comment arrives at least every 15 seconds. If nothing arrives for three times as long, connect again.",
        "A stream ends after ten minutes at most. Connect again.",
        "204 means that you have received everything: do not connect again.",
      ]),
      heading("What ends a stream"),
      list([
        "The key or one of its ancestors is revoked or expires: the last event is `error`, whose data is the usual [error envelope](/docs#errors). Access is judged again every 15 seconds and whenever a key changes.",
        "An app's access token expires: the last event is `error` with the code `unauthenticated`. Connect again with the next token; the SDK does so if its `apiKey` is a function.",
        "A client that reads nothing for 30 seconds while data waits for it is disconnected. Nothing is lost: it can resume with `Last-Event-ID`.",
      ]),
      heading("Limits"),
      paragraph(
        "A stream counts as one call, and counts against `maxConcurrent` until it ends. An account may have 100 open streams at each process that serves the API; further ones get 429 `limit_exhausted` with `Retry-After`. Processes count separately: four processes can allow 400 streams in total, but one may refuse its 101st while others have capacity. Rely on 100.",
      ),
    ],
  };
}
