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
    methods: z.array(z.string()).describe("The names of the methods that policies can allow."),
  })
  .describe("A contract that the installation knows.");

export const listContracts = operation({
  id: "wallets.contracts.list",
  method: "GET",
  path: "/contracts",
  surfaces: ["console"],
  summary: "List known contracts",
  description: "The contracts that this installation knows on each chain, for policies to choose from.",
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
