import type { z } from "zod";
import { platform } from "#server/platform.ts";
import type { Chain } from "#server/providers/chain/chains.ts";
import type { ChainHealth } from "./schema.ts";

type Health = z.output<typeof ChainHealth>;

const MAX_MS = 1000;
/** How long a result is reused: anybody may ask, and real nodes may charge per request. */
const KEPT_MS = 2000;

const answers = new Map<Chain, { until: number; answer: Promise<Health> }>();

async function ask({ client, network, name, rpcUrl, sandbox }: Chain): Promise<Health> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, MAX_MS, null);
  });
  // Not getBlockNumber: concurrent calls of it share one response, so others would wait for this one.
  const number = client.request({ method: "eth_blockNumber" }).catch(() => null);
  const block = await Promise.race([number, silence]);
  clearTimeout(timer);
  return {
    network,
    name,
    ok: block !== null,
    blockNumber: block === null ? null : Number(block),
    rpcUrl: sandbox ? rpcUrl : null,
  };
}

/** Asks every chain's node for its newest block. */
export function checkChains(): Promise<Health[]> {
  const all = platform().chains.all.map((chain) => {
    const known = answers.get(chain);
    if (known && performance.now() < known.until) return known.answer;
    const asked = { until: Number.POSITIVE_INFINITY, answer: ask(chain) };
    answers.set(chain, asked);
    return asked.answer.finally(() => {
      asked.until = performance.now() + (chain.sandbox ? 0 : KEPT_MS);
    });
  });
  return Promise.all(all);
}
