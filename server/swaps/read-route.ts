import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { swapRoutes } from "#db/schema/swaps.ts";
import { notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { visible } from "#server/operation/tenancy.ts";
import { selectRoutes, toRoute } from "./queries.ts";
import { RouteParams, SwapRoute } from "./schema.ts";

export const readRoute = operation({
  id: "swaps.routes.read",
  method: "GET",
  path: "/swaps/routes/{routeId}",
  summary: "Read a swap's route",
  description:
    "Returns the state on the chains of a prepared swap, or of a managed wallet's. A route is bound to the sender and the calldata of its last step, and is looked for until that step stops working.",
  scope: "wallets:read",
  service: "universal-swaps",
  params: RouteParams,
  output: z.object({ route: SwapRoute }),
  errors: ["not_found"],

  async handler({ params, caller, db }) {
    const mine = and(visible(swapRoutes, caller), eq(swapRoutes.id, params.routeId));
    const [row] = await selectRoutes(db).where(mine);
    if (!row) throw notFound("route", params.routeId);
    return { route: toRoute(row) };
  },
});
