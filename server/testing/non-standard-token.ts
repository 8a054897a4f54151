import { fileURLToPath } from "node:url";
import { type Address, encodeFunctionData, parseUnits } from "viem";
import type { Token } from "#server/providers/chain/chains.ts";
import { compileContracts } from "#server/providers/chain/sandbox/compile-contracts.ts";
import type { TestChain } from "./chain.ts";
import { deploy, type Part, startPoolOwner } from "./pools.ts";

const FEE = 3000;
const DEPTH = parseUnits("1000000", 6);

/** Deploys a token as non-standard as USDT, with a pool in which a million of it trade for a million USD. */
export async function deployNonStandardToken(chain: TestChain) {
  const { NonStandardToken } = await compileContracts(
    fileURLToPath(new URL("./contracts", import.meta.url)),
    ["NonStandardToken"],
  );
  const owner = chain.accounts.faucet.address;
  const asset = await deploy(chain, owner, NonStandardToken);
  const call = (functionName: string, ...args: unknown[]) =>
    chain.sendAs(owner, asset, encodeFunctionData({ abi: NonStandardToken.abi, functionName, args }));
  await call("mint", owner, DEPTH);
  await chain.fund(owner, { usd: "1000000" });
  const pools = await startPoolOwner(chain, owner);
  const even = [asset, chain.settings.contracts.usd].map((token) => ({ asset: token, units: DEPTH }));
  await pools.open(FEE, even as [Part, Part]);
  await pools.add(FEE, even as [Part, Part]);
  return {
    token: { asset, symbol: "ODD", name: "Odd", decimals: 6 } satisfies Token,
    mint: (to: Address, amount: string) => call("mint", to, parseUnits(amount, 6)),
    /** Makes the token keep a fee of each transfer, in hundredths of a percent. */
    setFee: (bps: bigint) => call("setFee", bps),
  };
}
