import { once } from "node:events";
import { EventSource } from "eventsource";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "#server/boot/processes.ts";
import { startAgents } from "#server/testing/agents.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { runWith } from "#server/testing/runs.ts";
import { startServer } from "#server/testing/server-process.ts";

const { api, turns, start } = await startAgents({ modelTimeoutSeconds: 120 });
const INPUT = "What only the caller may know";

/** Returns the events that a browser's page gets about a run by its address, following the reference. */
function watchBy(address: string) {
  const source = new EventSource(address);
  onTestFinished(() => source.close());
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of the data by looking into it.
  const seen: { event: string; id: string; data: any }[] = [];
  for (const event of ["timeline", "output", "run", "error"])
    source.addEventListener(event, (message) => {
      if (message instanceof MessageEvent)
        seen.push({ event, id: message.lastEventId, data: JSON.parse(message.data) });
    });
  const of = (event: string) => seen.filter((one) => one.event === event).map(({ data }) => data);
  const written = () =>
    of("output").reduce((text: string, { offset, text: more }) => text.slice(0, offset) + more, "");
  return { source, seen, of, written };
}

test("a stock EventSource gets a run's messages and text exactly once and complete, even if the server is killed within the text", async () => {
  const { key } = await createPayingKey(api, 500);
  const [amid, last] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  turns({ text: ["Once upon", amid.promise, " a time.", last.promise] });
  const port = await freePort();
  const first = await startServer(api.databaseUrl, "--port", String(port));
  const { body } = await start(key, { input: INPUT });
  const { run } = (await api.send("GET", `/v1/runs/${body.run.id}`, { key })).body;
  const page = watchBy(first.origin + new URL(run.watchUrl).pathname);
  await expect.poll(page.written).toBe("Once upon");

  const gone = once(first.child, "exit");
  first.child.kill("SIGKILL");
  await gone;
  amid.resolve();
  await startServer(api.databaseUrl, "--port", String(port));
  await expect.poll(page.written).toBe("Once upon a time.");
  last.resolve();
  // It reconnects after the end of the stream, learns that there is no more, and closes by itself.
  await expect.poll(() => page.source.readyState).toBe(page.source.CLOSED);

  const ended = await runWith(api, key, run.id, "succeeded");
  expect(page.of("timeline").map(({ seq, message }) => [seq, message])).toEqual(
    ended.timeline.map(({ seq, message }: { seq: number; message: string }) => [seq, message]),
  );
  let offset = 0;
  for (const piece of page.of("output")) {
    expect(piece).toMatchObject({ step: "model 1", offset });
    offset += piece.text.length;
  }
  expect(page.of("run")).toEqual([
    { run: { id: run.id, status: "succeeded", progress: 1, finishedAt: expect.any(String) } },
  ]);
  expect(new Set(page.seen.map(({ id }) => id)).size).toBe(page.seen.length);
  const names = new Set(page.seen.flatMap(({ data }) => Object.keys(data)));
  expect([...names].sort()).toEqual([
    "at",
    "level",
    "message",
    "offset",
    "progress",
    "run",
    "seq",
    "status",
    "step",
    "text",
  ]);
  expect(JSON.stringify(page.seen)).not.toContain(INPUT);
});
