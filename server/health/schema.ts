import { z } from "zod";

const Check = z
  .object({
    name: z.string().describe("The component."),
    ok: z.boolean().describe("Whether it answered."),
    durationMs: z.number().int().nullable().describe("How long it took to answer; null where it did not."),
    message: z.string().nullable().describe("What is wrong with it."),
  })
  .meta({
    id: "HealthCheck",
    description: "A component that the platform needs.",
    examples: [{ name: "database", ok: true, durationMs: 1, message: null }],
  });

/** A chain as `/health` says it. */
export const ChainHealth = z
  .object({
    network: z.string().describe("The chain (CAIP-2)."),
    name: z.string().describe("What people call it."),
    ok: z.boolean().describe("Whether its node answered."),
    blockNumber: z
      .number()
      .int()
      .nullable()
      .describe("Its newest block; null where the node did not answer."),
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

/** What `/health` says. */
export const Health = z.object({
  status: z
    .enum(["ok", "degraded", "unavailable"])
    .describe("`ok` when every component answered; `degraded` when every call but some has what it needs."),
  apiVersion: z.literal("v1").describe("The API's version, as in its path."),
  version: z.string().meta({ description: "The platform's release.", examples: ["0.1.0"] }),
  commit: z
    .string()
    .nullable()
    .meta({
      description: "The commit that it was built from; null where that is not known.",
      examples: ["5f1c0e2a9d7b4836a1e0c7d2b9f4a6835c1d0e7f"],
    }),
  schema: z
    .string()
    .nullable()
    .meta({
      description: "The latest migration that the database was seen with; null before it has answered.",
      examples: ["0028_password_resets"],
    }),
  checks: z
    .array(Check)
    .describe(
      "The components that calls need: the database, the store of bytes, each cluster of accounts' databases (`databases`), `chains` where the sandbox has none on this machine, and the `worker`, where the same `npm start` keeps it.",
    ),
  chains: z.array(ChainHealth).describe("The chains of this installation."),
});
