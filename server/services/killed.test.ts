import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { startPeer } from "#server/testing/peer.ts";
import { startServer } from "#server/testing/server-process.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";
import { operatorServices } from "./operator-services.ts";

/** A service that executes once per idempotency key, and answers the later half only once the platform was killed. */
const reservations = new Map<unknown, object>();
const killed = Promise.withResolvers<void>();
const peer = await startPeer(async ({ headers, body }) => {
  const key = headers["idempotency-key"];
  if (!reservations.has(key))
    reservations.set(key, { id: `r-${reservations.size + 1}`, ...JSON.parse(body).input });
  if (reservations.size > 30) await killed.promise;
  return { body: reservations.get(key) };
});
const service = declaredExample({ baseUrl: peer.origin, timeoutMs: 20_000 });
const folder = mkdtempSync(join(tmpdir(), "services-killed-"));
const manifest = join(folder, "services.json");
writeFileSync(manifest, JSON.stringify({ services: [service] }));
const database = await createTestDatabase();
const api = await startApi({ database, settings: { services: operatorServices([service]) } });
afterAll(() => rmSync(folder, { recursive: true }));

test("does and charges each call once when the platform is killed while the service works on them", async () => {
  const { key } = await createPayingKey(api, 1000);
  const names = Array.from({ length: 60 }, () => unique("killed"));
  const invoke = async (origin: string, name: string) => {
    const answer = await fetch(`${origin}/v1/services/example-desk/invoke`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "idempotency-key": name,
        "content-type": "application/json",
      },
      body: JSON.stringify({ operationId: "reserve", input: { item: name, quantity: 1 } }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const { origin, child, untilGone } = await startServer(database.url, "--services", manifest);
  child.once("exit", () => killed.resolve());
  let answered = 0;
  const before = await Promise.all(
    names.map(async (name) => {
      for (;;) {
        const answer = await invoke(origin, name).catch(() => null);
        if (answer?.status === 200 && ++answered === 15) child.kill("SIGKILL");
        // A busy machine refuses some of so many calls at first.
        if (answer?.status !== 503) return answer;
      }
    }),
  );
  expect(before.filter((answer) => answer?.status === 200).length).toBeGreaterThan(0);
  expect(before).toContain(null);
  await untilGone();
  const { client } = api.platform.database;
  const after = await Promise.all(names.map((name) => untilAnswered(() => invoke(api.origin, name))));
  expect(after.map(({ status }) => status)).toEqual(Array(60).fill(200));
  expect(after.map(({ body }) => body.result.item)).toEqual(names);
  expect(reservations.size).toBe(60);
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 700, reservedCredits: 0, totalCredits: 700 });
  expect(await client`select from service_calls`).toEqual([]);
});
