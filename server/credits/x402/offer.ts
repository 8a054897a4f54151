import { callChain } from "#server/chains/call-chain.ts";
import { ApiError } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { erc20Abi, signedTransferAbi } from "#server/providers/chain/abi.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { Facilitator, Requirement } from "#server/providers/facilitator/facilitator.ts";
import { CREDITS_PER_USD } from "#server/services/prices.ts";

const TIMEOUT_SECONDS = 120;
const PATIENCE_MS = 10_000;

/** The payment that is requested for an amount of credits; nothing in it comes from the caller. */
export interface Offer {
  chain: Chain;
  facilitator: Facilitator;
  cents: number;
  requirement: Requirement;
  /** How long a call waits for its payment to be settled. */
  patienceMs: number;
}

/** Returns the credits for this many cents. */
export const creditsFor = (cents: number): number => (cents * CREDITS_PER_USD) / 100;

/**
 * Returns the payment requested for this many cents: on the first chain, in its USD token. A repeat gets the same
 * offer.
 */
export async function offerFor(cents: number): Promise<Offer> {
  const { settings, chains, facilitator } = platform();
  const [chain] = chains.all;
  const { treasury, patienceMs = PATIENCE_MS } = settings.payments;
  if (!chain) throw missing("CHAINS");
  if (!treasury) throw missing("TREASURY_ADDRESS");
  if (!facilitator) throw missing("FACILITATOR_URL");
  const { usd } = chain.contracts;
  const decimals = chain.tokens.find(({ asset }) => asset === usd)?.decimals ?? 6;
  return {
    chain,
    facilitator,
    cents,
    patienceMs,
    requirement: {
      scheme: "exact",
      network: chain.network,
      asset: usd,
      amount: String(BigInt(cents) * 10n ** BigInt(decimals - 2)),
      payTo: treasury,
      maxTimeoutSeconds: TIMEOUT_SECONDS,
      extra: await domainOf(chain),
    },
  };
}

function missing(setting: string): ApiError {
  return new ApiError("service_unavailable", `Credits can't be bought here: ${setting} is not set.`);
}

const domains = new WeakMap<Chain, Requirement["extra"]>();

/** Returns the EIP-712 domain of the token, as its contract states it: a signature for another domain is worthless. */
async function domainOf(chain: Chain): Promise<Requirement["extra"]> {
  const known = domains.get(chain);
  if (known) return known;
  const address = chain.contracts.usd;
  const [name, version] = await callChain(chain, (client) =>
    Promise.all([
      client.readContract({ address, abi: erc20Abi, functionName: "name" }),
      client.readContract({ address, abi: signedTransferAbi, functionName: "version" }),
    ]),
  );
  domains.set(chain, { name, version });
  return { name, version };
}
