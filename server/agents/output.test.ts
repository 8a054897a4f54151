import { expect, test, vi } from "vitest";
import { defined } from "#server/base/defined.ts";
import { sweepOutput } from "#server/runs/write-output.ts";
import { startAgents } from "#server/testing/agents.ts";
import { installCli } from "#server/testing/cli.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { openStream, type Streamed } from "#server/testing/streams.ts";
import { Platform } from "../../clients/typescript/src/index.ts";

const { api, turns, start } = await startAgents();
const startRun = async (key: string) => (await start(key, {})).body.run.id;
const TEXT = "Once upon a time, far away,\nthere was a 𝄞 \0 that nobody had heard.";

const follow = (runId: string, key: string, lastEventId?: string) =>
  openStream(`${api.origin}/v1/runs/${runId}/events`, {
    key,
    ...(lastEventId !== undefined && { lastEventId }),
  });

/** Returns each step's text as a client assembles it from these events, as the reference says. */
function textsOf(events: readonly Streamed[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { event, data } of events)
    if (event === "output")
      texts.set(data.step, (texts.get(data.step) ?? "").slice(0, data.offset) + data.text);
  return texts;
}

/** Reads until a step has written this text. */
async function untilWritten(
  stream: Awaited<ReturnType<typeof openStream>>,
  text: string,
): Promise<Streamed[]> {
  const events: Streamed[] = [];
  while (textsOf(events).get("model 1") !== text) events.push(...(await stream.take(1)));
  return events;
}

test("streams a model's text while it is written, can resume within it, and leaves the response to the step", async () => {
  const { key } = await createPayingKey(api, 500);
  const held = Promise.withResolvers<void>();
  turns({ text: TEXT, until: held.promise });
  const runId = await startRun(key);
  const stream = await follow(runId, key);
  const before = await untilWritten(stream, TEXT);
  const last = defined(before.at(-1));
  const sent = before.findLast(({ event }) => event === "timeline");
  expect(last.id).toBe(`${sent?.id}.${TEXT.length}`);
  expect(sent?.data).toMatchObject({ type: "step", step: "model 1", data: { status: "sent" } });
  // A client that disconnected within the text gets the rest of it, and one that connects later all of it.
  const [, characters] = String(before.find(({ event }) => event === "output")?.id).split(".");
  const amid = await follow(runId, key, `${sent?.id}.${characters}`);
  await sweepOutput(api.platform.database.db);
  const late = await follow(runId, key);
  expect(textsOf(await untilWritten(late, TEXT)).get("model 1")).toBe(TEXT);
  held.resolve();
  const [rest, others] = await Promise.all([stream.take(), amid.take()]);
  expect(rest.map(({ event }) => event)).not.toContain("output");
  const written = others.filter(({ event }) => event === "output").map(({ data }) => data.text);
  expect(written.join("")).toBe(TEXT.slice(Number(characters)));
  expect(others.at(-1)?.data.run.result.output).toBe(TEXT);
  await sweepOutput(api.platform.database.db);
  expect(await api.platform.database.client`select from run_output`).toHaveLength(0);
});

test("shows a model's first words before it has written the next ones", async () => {
  const { key } = await createPayingKey(api, 500);
  const held = Promise.withResolvers<void>();
  turns({ text: ["Once", held.promise, " upon a time."] });
  const runId = await startRun(key);
  const { watchUrl } = (await api.send("GET", `/v1/runs/${runId}`, { key })).body.run;
  const streams = await Promise.all([
    follow(runId, key),
    openStream(api.origin + new URL(watchUrl).pathname),
  ]);
  await Promise.all(streams.map((stream) => untilWritten(stream, "Once")));
  held.resolve();
  for (const stream of streams)
    expect((await stream.take()).at(-1)?.data.run).toMatchObject({ id: runId, status: "succeeded" });
});

test("restarts a step's text when the model is called again", async () => {
  const { key } = await createPayingKey(api, 500);
  const held = Promise.withResolvers<void>();
  const heldAgain = Promise.withResolvers<void>();
  turns([
    { text: "A first try, cut", cut: true, until: held.promise },
    { text: "The whole.", until: heldAgain.promise },
  ]);
  const stream = await follow(await startRun(key), key);
  await untilWritten(stream, "A first try, cut");
  held.resolve();
  const [again] = (await untilWritten(stream, "The whole.")).filter(({ event }) => event === "output");
  expect(again?.data.offset).toBe(0);
  heldAgain.resolve();
  expect((await stream.take()).at(-1)?.data.run.result.output).toBe("The whole.");
});

test("is put together by the SDK's callers in one line", async () => {
  const { key } = await createPayingKey(api, 500);
  const held = Promise.withResolvers<void>();
  turns({ text: TEXT, until: held.promise });
  const platform = new Platform({ apiKey: key, baseUrl: api.origin });
  let answer = "";
  const onOutput = ({ offset, text }: { offset: number; text: string }) => {
    answer = answer.slice(0, offset) + text;
    if (answer === TEXT) held.resolve();
  };
  const messages: string[] = [];
  const entries = platform.runs.follow(await startRun(key), { onOutput });
  for await (const { message } of entries) messages.push(message);
  expect([answer, messages.at(-1)]).toEqual([TEXT, "The run has succeeded."]);
});

test("is printed by the command line as it is written, without control characters", async () => {
  const { key } = await createPayingKey(api, 500);
  const held = Promise.withResolvers<void>();
  turns({ text: TEXT, until: held.promise });
  const mine = (await installCli(api.origin)).computer({ PLATFORM_API_KEY: key, PLATFORM_URL: api.origin });
  const { ran, ended } = mine.start(["runs", "logs", await startRun(key), "--follow", "-o", "table"]);
  await vi.waitFor(() => expect(ran.stdout).toContain("that nobody had heard."), 120_000);
  held.resolve();
  expect((await ended).code).toBe(0);
  expect(ran.stdout).toContain(" writes:\nOnce upon a time, far away,\nthere was a 𝄞 \ufffd that nobody");
  expect(ran.stdout).toMatch(/had heard\.\n\d\d:\d\d:\d\d/);
});

test("shows no partial text on the tier strict", async () => {
  const { key } = await createPayingKey(api, 500, { privacyTier: "strict" });
  turns({ text: TEXT });
  const runId = await startRun(key);
  const events = await (await follow(runId, key)).take();
  expect(events.map(({ event }) => event)).not.toContain("output");
  expect(events.at(-1)?.data.run.result.output).toBe(TEXT);
});
