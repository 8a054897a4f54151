import { code, heading, list, type Page, paragraph, samples } from "../page.ts";
import { connect } from "./sdk.ts";

/** Returns the guide to streams of events. */
export function streamsPage(baseUrl: string): Page {
  return {
    path: "/docs/streams",
    title: "Streams",
    lead: "What happens comes to you as it happens, over one open request: server-sent events, which every language reads and which go on where they broke off.",
    blocks: [
      heading("Follow a run"),
      paragraph(
        "[`GET /v1/runs/{runId}/events`](/docs/runs.follow) sends each entry of the timeline as `timeline`, from the first on, then the ended run as `run`, and ends.",
      ),
      samples({
        sh: `RUN_ID=$(curl -s -X POST "${baseUrl}/v1/runs" -H "Authorization: Bearer $API_KEY" -H "Idempotency-Key: $(uuidgen)" -H "Content-Type: application/json" -d '{"serviceId":"managed-memory","operationId":"list","input":{}}' | jq -r .run.id)
curl -N --max-time 60 "${baseUrl}/v1/runs/$RUN_ID/events" -H "Authorization: Bearer $API_KEY"`,
        ts: `${connect(baseUrl)}
const run = await platform.runs.create({ serviceId: "managed-memory", operationId: "export", input: {} });
for await (const entry of platform.runs.follow(run.id)) console.log(entry.type, entry.message);`,
      }),
      paragraph(
        "While a model writes, `output` events show its text, twice a second: each has the `step`, the `offset` that it begins at, and `text`. What you have of a step becomes `text.slice(0, offset) + event.text`, so that a step which begins again replaces what it wrote before. It is there to be looked at; what counts is the step's answer in the run. There is none on the privacy tier `strict`.",
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
        "Where one answer is enough, [read](/docs/runs.read) it with `waitSeconds` (up to 50): the call answers when the run has ended. As a tool of MCP it tells of each step meanwhile, by `notifications/progress`, where the caller sends a `progressToken`.",
      ),
      heading("Follow the account"),
      paragraph(
        "[`GET /v1/events`](/docs/events.follow) sends what [webhooks](/docs/webhooks) get, without a server of yours that could be reached: each [event](/docs/events) under its type, byte for byte the body of a delivery, and only what the calling key could read. It begins with what happens from now on.",
      ),
      code(
        "ts",
        `for await (const event of platform.events.follow({ types: ["run.*", "approval.requested"] })) {
  if (event.type === "run.failed") console.log(event.data.run.error);
}`,
      ),
      paragraph(
        "Events are kept for an hour after nobody follows them any more. An id from before that answers 410 `cursor_expired`: connect without one, and read what may have changed meanwhile.",
      ),
      heading("Show a run in a browser"),
      paragraph(
        "No key belongs into a browser. [Reading a run](/docs/runs.read) answers `watchUrl`: for a quarter of an hour it sends status, progress, messages and the text that models write to any page, never input, data or result. Anybody with the address can watch, so give it to your own users alone, where they may read what the models of this run write; it ends with the key that read it. On the privacy tier `strict` there is none.",
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
      heading("Going on after a break"),
      paragraph(
        "Each event has an `id`. Connect again with the last one as `Last-Event-ID`, and the stream goes on after it: nothing is missing and nothing comes twice, whatever broke, your process, ours or the network. An `EventSource` does so by itself, and so does the SDK.",
      ),
      list([
        "`retry` says how many milliseconds to wait before connecting again. A server that is about to stop sends it with a random time, so that not everybody comes back at once.",
        "A comment comes at least every 15 seconds. When nothing came for three times as long, connect again.",
        "A stream ends after ten minutes at most. Connect again.",
        "204 means that you have had everything: do not connect again.",
      ]),
      heading("What ends a stream"),
      list([
        "The key is revoked or expires, or one above it: the last event is `error`, whose data is the ordinary [error envelope](/docs#errors). Access is judged again every 15 seconds and whenever a key changes.",
        "A client that reads nothing for 30 seconds, while something waits for it, is cut off. Nothing is lost: it goes on by `Last-Event-ID`.",
      ]),
      heading("Limits"),
      paragraph(
        "A stream counts as one call, and holds its place under `maxConcurrent` until it ends. An account may have 100 streams open at each process that serves the API; another one there gets 429 `limit_exhausted` with `Retry-After`. Processes do not count together: an installation of four lets 400 in, as its proxy happens to spread them, and may refuse the 101st at one while others have room. Count on 100.",
      ),
    ],
  };
}
