import type { z } from "zod";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { checkChains } from "./check-chains.ts";
import { checkBlobs, checkClusters, checkDatabase, checkWorker } from "./check-components.ts";
import { Health } from "./schema.ts";

export const readHealth = operation({
  id: "health.read",
  method: "GET",
  path: "/health",
  summary: "Read the health of the platform",
  description:
    "Answers at the root too, without a key. While what every call needs is down it answers 503, with the same fields beside `error`; while another component is, `degraded`.",
  scope: null,
  output: Health,
  errorFields: {
    503: Health.meta({
      examples: [
        {
          status: "unavailable",
          apiVersion: "v1",
          checks: [
            {
              name: "database",
              ok: false,
              durationMs: null,
              message: "The platform's database (DATABASE_URL) is not available.",
            },
          ],
          chains: [],
        },
      ],
    }),
  },
  surfaces: ["api"],

  async handler() {
    const [database, blobs, clusters, chains] = await Promise.all([
      checkDatabase(),
      checkBlobs(),
      checkClusters(),
      checkChains(),
    ]);
    const worker = checkWorker();
    const well = [blobs, ...clusters, ...worker, ...chains].every(({ ok }) => ok);
    const health: z.input<typeof Health> = {
      status: !database.ok ? "unavailable" : well ? "ok" : "degraded",
      apiVersion: "v1",
      checks: [database, blobs, ...clusters, ...worker],
      chains,
    };
    if (!database.ok)
      throw new ApiError("service_unavailable", database.message as string, {
        retryAfterSeconds: 2,
        fields: health,
      });
    return health;
  },
});
