import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { freePort } from "#server/boot/processes.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { installCli } from "#server/testing/cli.ts";
import { startPeer } from "#server/testing/peer.ts";
import { createWebhook, makeEvent, startDelivering, startEndpoint } from "#server/testing/webhooks.ts";
import { verifyWebhook } from "../../clients/typescript/src/webhooks.ts";

const api = await startApi();
const { key } = await api.createRootKey();
await startDelivering(api);
const cli = await installCli(api.origin);
const mine = cli.computer({ PLATFORM_API_KEY: key, PLATFORM_URL: api.origin });
const linesOf = (stdout: string) =>
  stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test("posts events to a server here as they happen, signed as webhooks are", async () => {
  const endpoint = await startEndpoint((response, { body }) => {
    response.statusCode = body.data.project.name === "Refused" ? 500 : 204;
    response.end();
  });
  const { ran, child } = mine.start([
    "webhooks",
    "listen",
    "--forward-to",
    endpoint.url,
    "--events",
    "project.*",
  ]);
  await expect
    .poll(
      async () => {
        await makeEvent(api, key, unique("Heard"));
        return endpoint.received.length;
      },
      { timeout: 120_000 },
    )
    .toBeGreaterThan(0);
  const [, secret = ""] = /Signs with (whsec_\S+)/.exec(ran.stderr) ?? [];
  await makeEvent(api, key, "Refused");
  await expect.poll(() => linesOf(ran.stdout).map(({ status }) => status)).toContain(500);
  const lines = linesOf(ran.stdout);
  for (const [nth, { headers, raw, body }] of endpoint.received.entries()) {
    expect(await verifyWebhook(raw, headers, secret)).toEqual(body);
    expect(lines[nth]).toMatchObject({ type: "project.created", id: headers["webhook-id"] });
    expect(headers["x-service-event"]).toBe("project.created");
  }
  expect(lines[0]).toMatchObject({ status: 204, error: null });
  child.kill("SIGINT");
});

test("posts a delivery's body byte for byte, signed so that stock libraries accept it", async () => {
  const [delivered, forwarded] = [await startEndpoint(), await startEndpoint()];
  await createWebhook(api, key, delivered.url, ["project.*"]);
  const { ran, child } = mine.start(["webhooks", "listen", "--forward-to", forwarded.url]);
  await expect
    .poll(
      async () => {
        await makeEvent(api, key, unique("First"));
        return forwarded.received.length;
      },
      { timeout: 120_000 },
    )
    .toBeGreaterThan(0);
  // Values that another JSON serializer would order, shorten or escape differently.
  const metadata = '{"b":1e21,"10":0.1,"a":"\u2028 é 𝄞 <","2":[]}';
  const made = await mine.json("projects", "create", "--name", "Bytes", "--metadata", metadata);
  const ofProject = ({ received }: typeof delivered) =>
    received.find(({ body }) => body.data.project?.id === made.id);
  await expect.poll(() => [ofProject(delivered), ofProject(forwarded)]).not.toContain(undefined);
  const [one, other] = [defined(ofProject(delivered)), defined(ofProject(forwarded))];
  expect(other.raw).toBe(one.raw);
  for (const name of ["content-type", "x-service-event", "webhook-id"])
    expect(other.headers[name]).toBe(one.headers[name]);
  const [, secret = ""] = /Signs with (whsec_\S+)/.exec(ran.stderr) ?? [];
  const headers = other.headers as Record<string, string>;
  expect(new StandardWebhook(secret).verify(other.raw, headers)).toEqual(one.body);
  expect(() => new SvixWebhook(secret).verify(other.raw, headers)).not.toThrow();
  expect(() => new SvixWebhook(secret).verify(`${other.raw} `, headers)).toThrow();
  child.kill("SIGINT");
});

test("posts the received bytes, whatever has serialized the JSON", async () => {
  const body =
    '{"id": "whe_1", "type": "project.created", "data": {"2": 1.0, "1": 1e2, "\\u0061": "\u2029"}}';
  const stream = await startPeer(async () => ({
    headers: { "content-type": "text/event-stream" },
    body: `id: whe_1\nevent: project.created\ndata: ${body}\n\n`,
  }));
  const endpoint = await startEndpoint();
  const other = cli.computer({ PLATFORM_API_KEY: key, PLATFORM_URL: stream.origin });
  const { child } = other.start(["webhooks", "listen", "--forward-to", endpoint.url]);
  await expect.poll(() => endpoint.received[0]?.raw).toBe(body);
  child.kill("SIGINT");
});

test("continues while no server responds, and refuses invalid addresses and events", async () => {
  const gone = `http://127.0.0.1:${await freePort()}/hooks`;
  const { ran, child } = mine.start(["webhooks", "listen", "--forward-to", gone]);
  await expect
    .poll(
      async () => {
        await makeEvent(api, key, unique("Unheard"));
        return linesOf(ran.stdout).length;
      },
      { timeout: 120_000 },
    )
    .toBeGreaterThan(1);
  expect(linesOf(ran.stdout)[0]).toMatchObject({
    status: null,
    error: expect.stringContaining("ECONNREFUSED"),
  });
  child.kill("SIGINT");
  expect((await mine.run(["webhooks", "listen"])).code).toBe(2);
  expect((await mine.run(["webhooks", "listen", "--forward-to", "localhost"])).code).toBe(2);
  const unknown = await mine.run(["webhooks", "listen", "--forward-to", gone, "--events", "nothing.*"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("nothing.*")]);
});

test("writes the stream of events itself, a line each", async () => {
  const { ran, child } = mine.start(["events", "follow", "--types", "project.created,run.*"]);
  await expect
    .poll(
      async () => {
        await makeEvent(api, key, unique("Streamed"));
        return linesOf(ran.stdout).length;
      },
      { timeout: 120_000 },
    )
    .toBeGreaterThan(0);
  expect(linesOf(ran.stdout)[0]).toMatchObject({
    type: "project.created",
    id: expect.stringMatching(/^whe_/),
  });
  child.kill("SIGINT");
});
