import { expect, test } from "vitest";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { newUuid } from "#server/base/ids.ts";
import { operation } from "#server/operation/operation.ts";
import { startApi } from "#server/testing/api.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { startLossyDatabase } from "#server/testing/lossy-database.ts";
import { type Charge, refuseUnaffordable } from "./charge.ts";
import { chargeCredits } from "./charge-credits.ts";
import { holdCredits } from "./hold-credits.ts";

/** Returns an operation that does this with the price of its call. */
const spending = (name: string, spend: (tx: Transaction, charge: Charge) => Promise<unknown>) =>
  operation({
    id: `test.${name}`,
    method: "POST",
    path: `/test/${name}`,
    summary: "Spend credits",
    scope: "projects:write",
    metered: true,
    idempotent: true,
    output: z.object({ spent: z.boolean() }),
    async handler({ caller, request, db }) {
      const description = "For a test";
      const price = { credits: 5, description, priceVersion: "test", requestId: request.id };
      await spend(db, { caller, selectors: ["test"], ...price });
      return { spent: true };
    },
  });

const extra = [
  spending("charge", chargeCredits),
  spending("hold", (tx, charge) => holdCredits(tx, newUuid(), charge)),
  spending("refusal", refuseUnaffordable),
];
const database = await createTestDatabase();
const lossy = await startLossyDatabase(database.url, /ledger_(charge|hold|refusal)\(/);
const api = await startApi({ database: { ...database, url: lossy.url }, extra });

test.each(["charge", "hold", "refusal"])(
  "lets no account without credits spend by the answer to another's %s",
  async (name) => {
    const rich = await createPayingKey(api, 100);
    const poor = await api.createRootKey();
    const spend = async (key: string) => {
      const { status, body } = await api.send("POST", `/v1/test/${name}`, { key });
      return [status, body.error?.code, body.error?.operationState];
    };
    expect(await spend(poor.key)).toEqual([402, "insufficient_credits", "not_started"]);
    lossy.repeat();
    expect(await spend(rich.key)).toEqual([200, undefined, undefined]);
    expect(await spend(poor.key)).toEqual([503, "service_unavailable", "not_started"]);
    await expect.poll(() => spend(poor.key)).toEqual([402, "insufficient_credits", "not_started"]);
  },
);
