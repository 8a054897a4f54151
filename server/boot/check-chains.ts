import type { Address } from "viem";
import { log } from "../base/log.ts";
import { erc20Abi } from "../providers/chain/abi.ts";
import { type Chain, type ChainSettings, openChains } from "../providers/chain/chains.ts";

/** The contracts of the settings, each with the place that names it. */
function contractsOf({ contracts, tokens }: ChainSettings): [name: string, address: Address][] {
  const { multicall3, wrappedNative, usd, venue, bridge } = contracts;
  return [
    ["multicall3", multicall3],
    ["wrappedNative", wrappedNative],
    ["usd", usd],
    ...venueContracts(venue),
    ...(bridge ? ([["bridge", bridge]] satisfies [string, Address][]) : []),
    ...tokens.flatMap(({ asset, symbol }): [string, Address][] =>
      asset === "native" ? [] : [[`the token ${symbol}`, asset]],
    ),
  ];
}

function venueContracts(venue: ChainSettings["contracts"]["venue"]): [name: string, address: Address][] {
  if (!venue) return [];
  const { factory, quoter, router, pools } = venue;
  return [
    ["venue.factory", factory],
    ["venue.quoter", quoter],
    ["venue.router", router],
    ...(pools ?? []).map((pool, at): [string, Address] => [`venue.pools.${at}`, pool]),
  ];
}

async function faultsOf({ client, network, ...settings }: Chain): Promise<string[]> {
  const claimed = await client.request({ method: "eth_chainId" });
  if (Number(claimed) !== settings.chainId) return [`${network}: its rpcUrl is eip155:${Number(claimed)}.`];
  const codes = await Promise.all(
    contractsOf({ ...settings }).map(async ([name, address]) => {
      const code = await client.getCode({ address });
      return code === undefined ? [`${network}: there is no contract at ${address} (${name}).`] : [];
    }),
  );
  const missing = codes.flat();
  if (missing.length > 0) return missing;
  const decimals = await Promise.all(
    settings.tokens.map(async ({ asset, symbol, decimals }) => {
      if (asset === "native") return [];
      const found = await client.readContract({ address: asset, abi: erc20Abi, functionName: "decimals" });
      return found === decimals ? [] : [`${network}: ${symbol} has ${found} decimals, not ${decimals}.`];
    }),
  );
  return decimals.flat();
}

/** Refuses chains that do not match the settings, and names every fault. An unreachable chain is accepted. */
export async function checkChains(settings: readonly ChainSettings[]): Promise<void> {
  const found = await Promise.all(
    openChains(settings).all.map((chain) =>
      faultsOf(chain).catch((error) => {
        log.warn("A chain of CHAINS is not available.", { network: chain.network, error });
        return [];
      }),
    ),
  );
  const faults = found.flat();
  if (faults.length === 0) return;
  throw new Error(`CHAINS is invalid:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
}
