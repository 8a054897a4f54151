import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { startApi, unique } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { deliver, putInbound } from "#server/testing/inbound.ts";
import { keptBytesFaults } from "#server/testing/kept-bytes.ts";
import { sendEvent, sent } from "#server/testing/sent-events.ts";
import { testSettings } from "#server/testing/settings.ts";
import { storedBytes } from "#server/testing/stored-bytes.ts";
import { untilAnswered } from "#server/testing/until-answered.ts";

const BUDGET = 100_000;
const { storage } = testSettings("");
const api = await startApi({ settings: { storage: { ...storage, eventsBytes: BUDGET } } });
const { db } = api.platform.database;

const keptBy = (accountId: string) => storedBytes(api, accountId, "events");

const words = "x".repeat(5000);
/** The bytes of such an event: its JSON and its row. */
const EACH = 5002 + 512;
const MAX_EVENTS = Math.floor(BUDGET / EACH);

test("lets parallel senders together fill the budget of events and never pass it", async () => {
  const { key, accountId } = await createPayingKey(api, 1000);
  const other = await createPayingKey(api, 1000);
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => {
      const idempotencyKey = unique("filled");
      return untilAnswered(() => sendEvent(api, key, { name: "filled", data: words }, {}, idempotencyKey));
    }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_EVENTS);
  const [refused] = answers.filter(({ status }) => status !== 200);
  expect(refused?.body.error).toMatchObject({
    status: 403,
    code: "quota_exceeded",
    operationState: "not_started",
    message: `The account's events take ${MAX_EVENTS * EACH} of ${BUDGET} bytes; 5002 more have no room. Events and deliveries go after 31 days. Wait, or send less.`,
  });
  const { balance } = (await api.send("GET", "/v1/credits/balance", { key })).body;
  expect(balance).toMatchObject({ availableCredits: 1000 - MAX_EVENTS, reservedCredits: 0 });
  expect(await keptBy(accountId)).toBe(MAX_EVENTS * EACH);
  expect(await keptBytesFaults(db)).toEqual([]);
  await sent(api, other.key, { name: "filled", data: words });
  expect(await keptBy(other.accountId)).toBe(EACH);
});

test("makes providers repeat deliveries that exceed the budget, and recognises accepted ones", async () => {
  const { key, accountId } = await createPayingKey(api, 1000);
  const { address } = await putInbound(api, key, { scheme: "none" });
  const deliveries = Array.from({ length: 40 }, (_, nth) => JSON.stringify({ nth, words }));
  const answers = await Promise.all(
    deliveries.map((body) => untilAnswered(() => deliver(api, address, body))),
  );
  const taken = answers.flatMap(({ status }, nth) => (status === 202 ? [nth] : []));
  const [full] = answers.filter(({ status }) => status !== 202);
  expect(full?.body.error).toMatchObject({ status: 429, code: "limit_exhausted" });
  expect(full?.headers.get("retry-after")).toBe("3600");
  const kept = await keptBy(accountId);
  expect(kept).toBeLessThanOrEqual(BUDGET);
  expect(taken.length).toBeGreaterThan(10);
  expect((await deliver(api, address, deliveries[taken[0] ?? 0] ?? "")).status).toBe(202);
  expect(await keptBy(accountId)).toBe(kept);
  expect(await keptBytesFaults(db)).toEqual([]);

  await db.execute(sql`select drop_events(now() + interval '1 hour', 10000)`);
  expect(await keptBy(accountId)).toBe(0);
  expect(await keptBytesFaults(db)).toEqual([]);
  const refused = answers.findIndex(({ status }) => status !== 202);
  expect((await deliver(api, address, deliveries[refused] ?? "")).status).toBe(202);
});
