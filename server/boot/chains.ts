import { join } from "node:path";
import { log } from "../base/log.ts";
import type { Env } from "../env/read-env.ts";
import type { ChainSettings } from "../providers/chain/chains.ts";
import { explainNoChain } from "../providers/chain/unavailable.ts";
import { openChainLock } from "./engines/chain-lock.ts";
import type { EngineGuard } from "./engines/engine-guard.ts";
import { startSandboxChain } from "./engines/sandbox-chain.ts";
import { findAnvil } from "./find-anvil.mjs";

type ChainEnv = Pick<Env, "dataDir" | "chains" | "sandboxChainIds" | "sandboxMnemonic">;

/** Returns the chains for wallets, swaps and trading: the configured ones, or the sandbox's if those are enabled. */
export async function startChains(
  env: ChainEnv,
  databaseUrl: string,
  stops: (() => unknown)[],
  guard?: EngineGuard,
): Promise<readonly ChainSettings[]> {
  if (env.sandboxMnemonic === null) {
    const { checkChains } = await import("./check-chains.ts");
    await checkChains(env.chains);
    return env.chains;
  }
  const mnemonic = env.sandboxMnemonic;
  if (findAnvil() === null) {
    log.warn(`The platform starts without chains. ${explainNoChain({ lacksSandboxChains: true })}`);
    return [];
  }
  const lock = openChainLock(databaseUrl);
  stops.push(lock.close);
  const chains = await lock.exclusively(async () => {
    const started = await Promise.all(
      env.sandboxChainIds.map((chainId, index) =>
        startSandboxChain({
          chainId,
          mnemonic,
          lock,
          guard,
          preferredPort: 31_337 + index,
          name: index === 0 ? "Sandbox" : "Second sandbox",
          dataDir: join(env.dataDir, "chains", String(chainId)),
        }),
      ),
    );
    await lock.use();
    return started;
  });
  stops.push(() =>
    lock.exclusively(async () => {
      const isLast = await lock.leave();
      await Promise.all(chains.map((chain) => chain.stop(isLast)));
    }),
  );
  return chains.map(({ settings }) => settings);
}
