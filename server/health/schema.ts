import { z } from "zod";
import { instant, typeId } from "#server/operation/fields.ts";

/** A component in the response of `/health`. */
export const Check = z
  .object({
    name: z.string().describe("The component's name."),
    ok: z.boolean().describe("True if the component responded."),
    durationMs: z
      .number()
      .int()
      .nullable()
      .describe("The response time in milliseconds; null if it did not respond."),
    message: z.string().nullable().describe("What is wrong with the component; null if nothing is."),
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
      "The components that calls need: the database, the blob store, each cluster for accounts' databases (`databases`), `chains` if the sandbox has none on this machine, and the `worker` if the same `npm start` runs it.",
    ),
  chains: z.array(ChainHealth).describe("The chains of this installation."),
});

/** The state of the whole installation, for operators. */
export const Installation = z.object({
  asOf: instant.describe("When it was read."),
  health: Health.describe("What `/health` says."),
  readings: z
    .array(
      z.object({
        name: z.string().describe("The metric, as `/metrics` has it."),
        help: z.string().describe("What it measures."),
        labels: z.record(z.string(), z.string()).describe("What it is of, e.g. `task`."),
        value: z.number().describe("In the unit that the name ends in, else a count."),
      }),
    )
    .describe("Queues, lags and connections, as the metrics of a worker have them."),
  failedReadings: z
    .int()
    .describe("Readings that failed or took longer than three seconds; they are left out."),
  busiest: z
    .array(
      z.object({
        accountId: typeId("account").describe("The account."),
        name: z.string().describe("Its name."),
        requests: z.int().describe("Its requests."),
        errors: z.int().describe("Requests that were answered with an error."),
        chargedCredits: z.int().describe("Credits that were charged for them."),
      }),
    )
    .nullable()
    .describe(
      "The accounts with the most requests of this hour and the one before; null where that took too long.",
    ),
  statements: z
    .array(
      z.object({
        seconds: z.number().describe("For how long it has been under way."),
        wait: z.string().nullable().describe("What it waits for, as PostgreSQL names it."),
        statement: z.string().describe("Its text, without values."),
      }),
    )
    .describe("Statements and transactions of the platform's database that are under way for over a second."),
});
export type Installation = z.output<typeof Installation>;
