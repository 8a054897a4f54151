import { z } from "zod";
import { address, network } from "#server/chains/schema.ts";
import { operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { knownContractsOf } from "../decode/known-contracts.ts";

const Contract = z
  .object({
    network,
    address,
    name: z.string().describe("The contract's name."),
    methods: z.array(z.string()).describe("The names of the contract's methods, for policies."),
  })
  .describe("A contract that this installation knows.");

export const listContracts = operation({
  id: "wallets.contracts.list",
  method: "GET",
  path: "/contracts",
  surfaces: ["console"],
  summary: "List known contracts",
  description: "The contracts that this installation knows on each chain, for use in policies.",
  scope: "wallets:read",
  service: "managed-wallets",
  output: z.object({ contracts: z.array(Contract) }),

  async handler() {
    const contracts = platform().chains.all.flatMap((chain) =>
      knownContractsOf(chain).map((contract) => ({ network: chain.network, ...contract })),
    );
    return { contracts };
  },
});
