import { z } from "zod";
import { instant, typeId } from "#server/operation/fields.ts";

/** A component in the response of `/health`. */
const Check = z
  .object({
    name: z.string().describe("The component's name."),
    ok: z.boolean().describe("True if the component responded."),
    durationMs: z
      .number()
      .int()
      .nullable()
      .describe("The response time in milliseconds; null if it did not respond."),
    message: z.string().nullable().describe("The fault of the component; null if there is none."),
  })
  .meta({
    id: "HealthCheck",
    description: "A component that the platform needs.",
    examples: [{ name: "database", ok: true, durationMs: 1, message: null }],
  });

/** A chain in the response of `/health`. */
export const ChainHealth = z
  .object({
    network: z.string().describe("The chain's CAIP-2 id, e.g. `eip155:1`."),
    name: z.string().describe("The chain's name."),
    ok: z.boolean().describe("True if the chain's node responded."),
    blockNumber: z
      .number()
      .int()
      .nullable()
      .describe("The chain's newest block; null if the node did not respond."),
    rpcUrl: z.string().nullable().describe("The node's address, in the sandbox only."),
  })
  .meta({
    id: "ChainHealth",
    description: "A chain that wallets and swaps use.",
    examples: [
      {
        network: "eip155:31337",
        name: "Sandbox",
        ok: true,
        blockNumber: 42,
        rpcUrl: "http://127.0.0.1:8545",
      },
    ],
  });

/** The response of `/health`. */
export const Health = z.object({
  status: z.enum(["ok", "degraded", "unavailable"]).meta({
    id: "HealthStatus",
    description:
      "`ok` if every component responded; `degraded` if only some calls lack a component they need.",
  }),
  apiVersion: z.literal("v1").describe("The API's version, as in its path."),
  version: z.string().meta({ description: "The platform's release.", examples: ["0.1.0"] }),
  commit: z
    .string()
    .nullable()
    .meta({
      description: "The commit that the release was built from; null if unknown.",
      examples: ["5f1c0e2a9d7b4836a1e0c7d2b9f4a6835c1d0e7f"],
    }),
  schema: z
    .string()
    .nullable()
    .meta({
      description: "The database's latest known migration; null before the database has responded.",
      examples: ["0028_password_resets"],
    }),
  checks: z
    .array(Check)
    .describe(
      "The components that calls need: the database, the blob store, each cluster for accounts' databases (`databases`), `vault` if a key management service wraps the keys of wallets, the installation's `model` endpoint, `mail` server and `facilitator` of payments if it has them, `chains` if the sandbox has none on this machine, and the `worker` if the same `npm start` runs it.",
    ),
  chains: z.array(ChainHealth).describe("The chains of this installation."),
});

/** The state of the whole installation, for operators. */
export const Installation = z.object({
  asOf: instant.describe("The time of the reading."),
  health: Health.describe("The body of `/health`."),
  readings: z
    .array(
      z.object({
        name: z.string().describe("The name of the metric in `/metrics`."),
        help: z.string().describe("The meaning of the metric."),
        labels: z.record(z.string(), z.string()).describe("The labels, e.g. `task`."),
        value: z.number().describe("The value, in the unit with which the name ends, otherwise a count."),
      }),
    )
    .describe("Queues, lags and connections, as in the metrics of a worker."),
  failedReadings: z
    .int()
    .describe("Readings that failed or took longer than three seconds; they are left out."),
  processes: z
    .array(
      z.object({
        role: z
          .string()
          .nullable()
          .describe("Its role, as `ROLE` has it; null, as all of these, if an earlier release runs."),
        version: z.string().nullable().describe("Its release."),
        commit: z
          .string()
          .nullable()
          .describe("The beginning of the commit that it was built from; null if unknown."),
        host: z.string().nullable().describe("The name of its machine, cut if it is long."),
        pid: z.int().nullable().describe("Its process id on that machine."),
        connectedSince: instant.describe("The start of its present connection to the database."),
      }),
    )
    .nullable()
    .describe("The processes that are alive; null if the query failed."),
  busiest: z
    .array(
      z.object({
        accountId: typeId("account").describe("The account."),
        name: z.string().describe("The account's name."),
        requests: z.int().describe("The number of its requests."),
        errors: z.int().describe("The number of requests with an error."),
        chargedCredits: z.int().describe("The credits charged for them."),
      }),
    )
    .nullable()
    .describe(
      "The accounts with the most requests of this hour and the previous one; null if the query took too long.",
    ),
  statements: z
    .array(
      z.object({
        seconds: z.number().describe("The duration so far, in seconds."),
        wait: z.string().nullable().describe("The wait event, as PostgreSQL names it."),
        statement: z.string().describe("The text of the statement, without values."),
      }),
    )
    .describe("Statements and transactions of the platform's database that have run for over a second."),
  costliest: z
    .array(
      z.object({
        statement: z.string().describe("The text of the statement, without the values of its parameters."),
        calls: z.number().describe("The number of executions."),
        totalSeconds: z.number().describe("The execution time of all calls, in seconds."),
        meanMs: z.number().describe("The mean execution time, in milliseconds."),
        share: z.number().describe("The share in the execution time of all statements, between 0 and 1."),
      }),
    )
    .nullable()
    .describe(
      "The statements of the platform's database with the longest execution time since its statistics began; null if it does not have `pg_stat_statements`, or if the query took too long.",
    ),
});
export type Installation = z.output<typeof Installation>;
