import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { swaps } from "#db/schema/swaps.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectSwaps, toSwap } from "./queries.ts";
import { Swap, SwapParams } from "./schema.ts";

export const readSwap = operation({
  id: "swaps.read",
  method: "GET",
  path: "/swaps/{swapId}",
  summary: "Read a swap",
  scope: "wallets:read",
  service: "universal-swaps",
  params: SwapParams,
  output: z.object({ swap: Swap }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const [row] = await selectSwaps(db).where(and(visible(swaps, caller), eq(swaps.id, params.swapId)));
    if (!row) throw notFound("swap", params.swapId);
    return { swap: toSwap(row) };
  },
});
