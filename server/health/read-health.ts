import type { z } from "zod";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { checkDatabase } from "./check-database.ts";
import { Health } from "./schema.ts";

export const readHealth = operation({
  id: "health.read",
  method: "GET",
  path: "/health",
  summary: "Read the health of the platform",
  description:
    "Answers at the root too, without a key. While a component is down it answers 503, with the same fields beside `error`.",
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
    const database = await checkDatabase();
    const health: z.input<typeof Health> = {
      status: database.ok ? "ok" : "unavailable",
      apiVersion: "v1",
      checks: [database],
      chains: [],
    };
    if (!database.ok)
      throw new ApiError("service_unavailable", database.message as string, {
        retryAfterSeconds: 2,
        fields: health,
      });
    return health;
  },
});
