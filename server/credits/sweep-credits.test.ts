import { expect, test } from "vitest";
import { newId, newUuid, toUuid } from "#server/base/ids.ts";
import { startApi } from "#server/testing/api.ts";
import { keyCaller } from "#server/testing/callers.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { captureHold, holdCredits } from "./hold-credits.ts";
import { sweepCredits } from "./sweep-credits.ts";

const api = await startApi();
const { client, db } = api.platform.database;

test("sweeps holds and daily counters 30 days after they ended, and keeps open or recent ones", async () => {
  const { accountId, apiKey } = await createPayingKey(api, 100, { limits: { "*": { creditsPerDay: 50 } } });
  const account = toUuid("account", accountId);
  const charge = {
    caller: keyCaller(accountId, [apiKey.id]),
    selectors: ["services.invoke"],
    credits: 5,
    description: "A call",
    priceVersion: "test",
    requestId: newId("request"),
  };
  const hold = () => db.transaction((tx) => holdCredits(tx, newUuid(), charge));
  const [old, recent, open] = [await hold(), await hold(), await hold()];
  for (const ended of [old, recent]) await db.transaction((tx) => captureHold(tx, ended, 5, 1));
  await client`
    update ledger_holds set expires_at = now() - interval '31 days' where id in ${client([old.id, open.id])}`;
  await client`insert into key_days select account_id, key_id, selector, day - 31, used from key_days where account_id = ${account}`;

  expect(await sweepCredits(db)).toBe(2);
  expect(await client`select state from ledger_holds where account_id = ${account} order by state`).toEqual([
    { state: "captured" },
    { state: "open" },
  ]);
  expect(
    await client`
    select day = utc_today() as today, used::int from key_days where account_id = ${account}`,
  ).toEqual([{ today: true, used: 15 }]);
  expect(await sweepCredits(db)).toBe(0);
});
