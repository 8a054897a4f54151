import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { capDays } from "#db/schema/caps.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { sweepCaps } from "#server/jobs/drop-old-rows.ts";
import { startApi } from "#server/testing/api.ts";
import { releaseCap, reserveCap } from "./caps.ts";
import { selectWallets } from "./queries.ts";

const api = await startApi();
const { db } = api.platform.database;

async function makeWallet(policy: Record<string, unknown>) {
  const { key } = await api.createRootKey();
  const { id } = (await api.send("POST", "/v1/wallets", { key, body: { label: "Capped", policy } })).body
    .wallet;
  const wallet = defined((await selectWallets(db)).find((row) => row.id === id));
  const reserve = (subject: string, valueUsd: string | null) =>
    db.transaction((tx) => reserveCap(tx, { wallet, subject, valueUsd }));
  const release = (subject: string) =>
    db.transaction((tx) => releaseCap(tx, { accountId: wallet.accountId, subject }));
  const used = async () => {
    const rows = await db.select().from(capDays);
    return rows.filter(({ walletId }) => walletId === id).map(({ usedUsd }) => Number(usedUsd));
  };
  return { wallet, reserve, release, used };
}

test("lets 1,000 parallel reservations use up a daily limit exactly and never pass it", async () => {
  const { reserve, used } = await makeWallet({ dailyLimitUsd: "100.5" });
  /** Repeated while the database is too busy to respond. */
  const reserved = (subject: string): Promise<void> =>
    reserve(subject, "1.005").catch((reason) => {
      if (reason.code === "policy_denied") throw reason;
      return reserved(subject);
    });
  const asked = await Promise.allSettled([...Array(1000).keys()].map(() => reserved(newId("transaction"))));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
  expect(await used()).toEqual([100.5]);
  await expect(reserve("tx_one_more", "0.000000000000000001")).rejects.toMatchObject({
    code: "policy_denied",
  });
});

test("returns the unspent part once", async () => {
  const { reserve, release, used } = await makeWallet({ dailyLimitUsd: "10" });
  await reserve("tx_a", "6");
  await release("tx_a");
  await release("tx_a");
  expect(await used()).toEqual([0]);
  await reserve("tx_b", "10");
  expect(await used()).toEqual([10]);
});

test("counts a subject that reserves again once, with its last value", async () => {
  const { reserve, used } = await makeWallet({ dailyLimitUsd: "10" });
  await reserve("tx_a", "6");
  await reserve("tx_a", "9");
  expect(await used()).toEqual([9]);
  await expect(reserve("tx_a", "11")).rejects.toMatchObject({ code: "policy_denied" });
  expect(await used()).toEqual([9]);
});

test("counts an amount that waited over midnight on the day on which it continues", async () => {
  const { wallet, reserve, used } = await makeWallet({ dailyLimitUsd: "10" });
  await reserve("tx_a", "6");
  await db.execute(sql`update cap_days set day = day - 1`);
  await db.execute(sql`update cap_reservations set day = day - 1`);
  await reserve("tx_b", "4");
  await reserve("tx_a", "6");
  expect((await used()).sort()).toEqual([0, 10]);
  expect(wallet.policy.dailyLimitUsd).toBe("10");
});

test("counts spending without a limit too, for a later limit", async () => {
  const { reserve, used } = await makeWallet({});
  await reserve("tx_a", "6");
  await reserve("tx_b", null);
  expect(await used()).toEqual([6]);
});

test("fits nothing into a limit whose value is unknown", async () => {
  const { reserve } = await makeWallet({ dailyLimitUsd: "10" });
  await expect(reserve("tx_a", null)).rejects.toMatchObject({ code: "policy_denied" });
});

test("forgets days that nothing judges any more, and none before", async () => {
  const { reserve, used } = await makeWallet({});
  await reserve("tx_old", "6");
  await db.execute(sql`update cap_days set day = utc_today() - 36 where day = utc_today()`);
  await db.execute(sql`update cap_reservations set day = utc_today() - 36 where day = utc_today()`);
  await reserve("tx_new", "4");
  expect((await used()).sort()).toEqual([4, 6]);
  await sweepCaps(db);
  expect(await used()).toEqual([4]);
});
