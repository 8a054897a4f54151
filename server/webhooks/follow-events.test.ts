import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { openPool } from "#db/client.ts";
import { uuidOf } from "#server/base/ids.ts";
import { ALL_SCOPES, startApi, unique } from "#server/testing/api.ts";
import { openStream, type Streamed } from "#server/testing/streams.ts";
import { createWebhook, makeEvent, startDelivering, startEndpoint } from "#server/testing/webhooks.ts";
import { Platform } from "../../clients/typescript/src/index.ts";
import { relayBatch } from "./relay.ts";

const api = await startApi({ settings: { streams: { heartbeatMs: 200, stallMs: 1000 } } });
await startDelivering(api);

const follow = (key: string, query = "", options: Parameters<typeof openStream>[1] = {}) =>
  openStream(`${api.origin}/v1/events${query}`, { key, ...options });
const ids = (events: readonly (Streamed | null)[]) => events.map((event) => event?.id);

test("sends events as they happen, with the same bytes as a webhook's deliveries", async () => {
  const { key } = await api.createRootKey();
  const endpoint = await startEndpoint();
  await createWebhook(api, key, endpoint.url);
  const stream = await follow(key);
  expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  await stream.nextBlock();
  const projectId = await makeEvent(api, key, "Web shop");
  let block = await stream.nextBlock();
  while (block?.startsWith(":")) block = await stream.nextBlock();
  await expect.poll(() => endpoint.received.length).toBe(1);
  const [{ raw, body } = { raw: "", body: null }] = endpoint.received;
  expect(block).toBe(`id: ${body.id}\nevent: project.created\ndata: ${raw}`);
  expect(body.data.project).toMatchObject({ id: projectId, name: "Web shop" });
});

test("continues after the client's last event, without loss and without a repeat", async () => {
  const { key } = await api.createRootKey();
  const stream = await follow(key);
  const made: string[] = [];
  for (let nth = 0; nth < 6; nth++) made.push(await makeEvent(api, key, unique("Shop")));
  const all = await stream.take(6);
  expect(all.map((event) => event.data.data.project.id)).toEqual(made);
  for (let seen = 0; seen < 5; seen++) {
    const again = await follow(key, "", { lastEventId: all[seen]?.id ?? "" });
    expect(ids(await again.take(5 - seen))).toEqual(ids(all.slice(seen + 1)));
    again.leave();
  }
});

test("gives every follower the same order, and loses nothing, though several relays take the events", async () => {
  const { key } = await api.createRootKey();
  const [first, second] = [await follow(key), await follow(key)];
  const pools = Array.from({ length: 3 }, () => openPool(api.databaseUrl, 2));
  const done = new AbortController();
  const relays = pools.map(async ({ client }) => {
    while (!done.signal.aborted) await relayBatch(client);
  });
  const made = await Promise.all(Array.from({ length: 60 }, () => makeEvent(api, key, unique("Shop"))));
  // These relays publish no wake-ups: their events are found by polling.
  const seen = await first.take(60);
  done.abort();
  await Promise.all(relays);
  expect(new Set(seen.map((event) => event.data.data.project.id))).toEqual(new Set(made));
  expect(ids(await second.take(60))).toEqual(ids(seen));
  const rest = await follow(key, "", { lastEventId: seen[19]?.id ?? "" });
  expect(ids(await rest.take(40))).toEqual(ids(seen.slice(20)));
  await Promise.all(pools.map((pool) => pool.close()));
});

test("sends only the requested events that its key could read", async () => {
  const { key } = await api.createRootKey();
  const project = await makeEvent(api, key, unique("Own"));
  const bound = await api.createChild(key, { projectId: project });
  const noProjects = await api.createChild(key, {
    scopes: ALL_SCOPES.filter((scope) => scope !== "projects:read"),
  });
  const streams = {
    files: await follow(key, "?types=file.*"),
    named: await follow(key, "?types=file.created,project.archived"),
    ofProject: await follow(key, `?projectId=${project}`),
    bound: await follow(bound.key),
    noProjects: await follow(noProjects.key),
  };
  const upload = (name: string, from: string) =>
    api.send("POST", "/v1/files", { key: from, headers: { "x-file-name": name }, bytes: Buffer.from(name) });
  await makeEvent(api, key, unique("Another"));
  await upload("unbound", key);
  await upload("bound", bound.key);
  const names = async (stream: keyof typeof streams, count: number) =>
    (await streams[stream].take(count)).map(({ event, data }) => `${event} ${data.data.file?.name}`);
  const both = ["file.created unbound", "file.created bound"];
  expect(await names("files", 2)).toEqual(both);
  expect(await names("named", 2)).toEqual(both);
  expect(await names("noProjects", 2)).toEqual(both);
  expect(await names("ofProject", 1)).toEqual(["file.created bound"]);
  expect(await names("bound", 1)).toEqual(["file.created bound"]);
});

test("sends nothing of another account, and knows none of its ids", async () => {
  const [mine, theirs] = [await api.createRootKey(), await api.createRootKey()];
  const [own, strange] = [await follow(mine.key), await follow(theirs.key)];
  await makeEvent(api, mine.key, unique("Mine"));
  const event = await own.next();
  await makeEvent(api, theirs.key, "Theirs");
  expect((await strange.next())?.data.data.project.name).toBe("Theirs");
  const foreign = await follow(theirs.key, "", { lastEventId: event?.id ?? "" });
  const missing = await follow(theirs.key, "", { lastEventId: "whe_01jz4w1n9vf5ha3kqcx8y2r7te" });
  const [a, b] = [(await foreign.refusal()).error, (await missing.refusal()).error];
  expect([foreign.status, a.code, a.message]).toEqual([410, "cursor_expired", b.message]);
});

test.each([
  "1",
  "run_01jz4w1n9vf5ha3kqcx8y2r7te",
  "whe_",
  "whe_' or 1=1",
  "whe_01jz4w1n9vf5ha3kqcx8y2r7te, x",
  "w".repeat(5000),
])("refuses a Last-Event-ID that is no event's: %j", async (lastEventId) => {
  const { key } = await api.createRootKey();
  const stream = await follow(key, "", { lastEventId });
  expect([stream.status, (await stream.refusal()).error.code]).toEqual([400, "invalid_request"]);
});

test("refuses types that there are not, each by its name", async () => {
  const { key } = await api.createRootKey();
  for (const types of ["run.exploded", "", "*,nothing.*", "run.*;file.*"]) {
    const stream = await follow(key, `?types=${encodeURIComponent(types)}`);
    expect((await stream.refusal()).error).toMatchObject({ status: 400, issues: [{ path: "query.types" }] });
  }
});

test("reports lost events if nobody followed for an hour, and continues from then", async () => {
  const { key, accountId } = await api.createRootKey();
  const stream = await follow(key);
  await makeEvent(api, key, unique("Before"));
  const event = await stream.next();
  stream.leave();
  // A test cannot wait for an hour, so the listener is made that old.
  await api.platform.database.client`update event_listeners set until = now() - interval '1 second'
    where account_id = ${uuidOf("account", accountId)}`;
  await makeEvent(api, key, unique("Unheard"));
  const late = await follow(key, "", { lastEventId: event?.id ?? "" });
  expect([late.status, (await late.refusal()).error.code]).toEqual([410, "cursor_expired"]);
  const anew = await follow(key);
  await makeEvent(api, key, "After");
  expect((await anew.next())?.data.data.project.name).toBe("After");
});

test("ends when its key is revoked, and sends nothing that happens afterwards", async () => {
  const { key } = await api.createRootKey();
  const child = await api.createChild(key);
  const stream = await follow(child.key, "?types=project.*");
  await api.send("DELETE", `/v1/api-keys/${child.apiKey.id}`, { key });
  await makeEvent(api, key, unique("Late"));
  expect(await stream.take()).toMatchObject([
    { event: "error", data: { error: { code: "api_key_revoked" } } },
  ]);
});

test("disconnects a client that reads nothing, and continues from its last event", async () => {
  const { key } = await api.createRootKey();
  const { hostname, port } = new URL(api.direct);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(`GET /v1/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await expect.poll(() => api.platform.streams.open).toBe(1);
  const control = await follow(key);
  const metadata = Object.fromEntries(Array.from({ length: 34 }, (_, nth) => [`key${nth}`, "x".repeat(450)]));
  const made = 420;
  const taken = control.take(made);
  for (let nth = 0; nth < made; nth += 60)
    await Promise.all(
      Array.from({ length: 60 }, () =>
        api.send("POST", "/v1/projects", { key, body: { name: unique("Large"), metadata } }),
      ),
    );
  const all = await taken;
  control.leave();
  await expect.poll(() => api.platform.streams.open).toBe(0);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  socket.resume();
  await once(socket, "close");
  // The last event may be incomplete.
  const seen = [...text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id).slice(0, -1);
  expect(seen.length).toBeLessThan(made - 1);
  expect(seen).toEqual(ids(all).slice(0, seen.length));
  const rest = await follow(key, "", { lastEventId: String(seen.at(-1)) });
  expect(ids(await rest.take(made - seen.length))).toEqual(ids(all).slice(seen.length));
});

test("the SDK follows events from the one that it is given on, until its caller leaves", async () => {
  const { key } = await api.createRootKey();
  const platform = new Platform({ apiKey: key, baseUrl: api.origin });
  const stream = await follow(key);
  for (const name of ["One", "Two", "Three"]) await makeEvent(api, key, name);
  const [first] = await stream.take(1);
  const names: string[] = [];
  const filter = { types: ["project.*"], lastEventId: first?.id ?? "" };
  for await (const event of platform.events.follow(filter)) {
    if (event.type === "project.created") names.push(String(event.data.project.name));
    if (names.length === 2) break;
  }
  expect(names).toEqual(["Two", "Three"]);
  await expect(platform.events.follow({ types: ["nothing.*"] }).next()).rejects.toThrow("nothing.*");
});
