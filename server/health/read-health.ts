import type { z } from "zod";
import { defined } from "#server/base/defined.ts";
import { ApiError } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { checkChains } from "./check-chains.ts";
import {
  checkBlobs,
  checkClock,
  checkClusters,
  checkDatabase,
  checkSandboxChains,
  checkServices,
  checkVault,
  checkWorker,
} from "./check-components.ts";
import { Health } from "./schema.ts";
import { schemaVersion } from "./schema-version.ts";

export const readHealth = operation({
  id: "health.read",
  method: "GET",
  path: "/health",
  summary: "Read the health of the platform",
  description:
    "Also served at `/health`. If a component that every call needs is down, the response is 503 with the same fields beside `error`; if another component is down, the status is `degraded`.",
  scope: null,
  output: Health,
  errorFields: {
    503: Health.meta({
      examples: [
        {
          status: "unavailable",
          apiVersion: "v1",
          version: "0.1.0",
          commit: "5f1c0e2a9d7b4836a1e0c7d2b9f4a6835c1d0e7f",
          schema: "0028_password_resets",
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
    const health = await describeHealth();
    if (platform().streams.stopping.aborted)
      throw new ApiError("service_unavailable", "This process is stopping; another one answers.", {
        retryAfterSeconds: 2,
        fields: { ...health, status: "unavailable" },
      });
    const broken = health.checks.find(({ name, ok }) => name === "database" && !ok);
    if (broken)
      throw new ApiError("service_unavailable", defined(broken.message), {
        retryAfterSeconds: 2,
        fields: health,
      });
    return health;
  },
});

/** Returns the body of `/health`, for the statuses 200 and 503. */
export async function describeHealth(): Promise<z.input<typeof Health>> {
  const [database, blobs, clusters, vault, services, chains] = await Promise.all([
    checkDatabase(),
    checkBlobs(),
    checkClusters(),
    checkVault(),
    checkServices(),
    checkChains(),
  ]);
  const others = [
    ...checkClock(),
    ...clusters,
    ...vault,
    ...services,
    ...checkSandboxChains(),
    ...checkWorker(),
  ];
  const well = [blobs, ...others, ...chains].every(({ ok }) => ok);
  return {
    status: !database.ok ? "unavailable" : well ? "ok" : "degraded",
    apiVersion: "v1",
    ...platform().settings.release,
    schema: schemaVersion(),
    checks: [database, blobs, ...others],
    chains,
  };
}
