import { getAddress, isAddress } from "viem/utils";
import { z } from "zod";
import { messageOf } from "#server/base/thrown.ts";
import type { ChainSettings } from "#server/providers/chain/chains.ts";

// The address of Multicall3 on every public network that has it.
const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";

const address = z
  .string()
  .refine((text) => isAddress(text), "must be an address: 0x and 40 hexadecimal digits, its checksum right.")
  .transform((text) => getAddress(text));
const count = (least: number) => z.number().int().min(least).max(10_000);
const decimals = z.number().int().min(0).max(30);
const symbol = z.string().regex(/^[A-Za-z0-9.]{1,16}$/, "must be 1 to 16 letters, digits and points.");
const name = z.string().trim().min(1).max(100);

const ConfiguredChain = z
  .strictObject({
    chainId: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
    name,
    rpcUrl: z
      .string()
      .regex(/^https?:\/\//, "must begin with http:// or https://.")
      .refine(URL.canParse, "is not a valid address."),
    confirmations: count(1).default(2),
    finality: count(1).default(64),
    maxGasPriceGwei: z.number().positive().max(1_000_000).optional(),
    native: z.strictObject({ symbol, name }).default({ symbol: "ETH", name: "Ether" }),
    multicall3: address.default(MULTICALL3),
    wrappedNative: address,
    usd: address,
    venue: z
      .strictObject({
        factory: address,
        quoter: address,
        router: address,
        pools: z
          .array(address)
          .min(1, "must name at least one pool, or be left out.")
          .nullable()
          .default(null),
      })
      .nullable()
      .default(null),
    bridge: address.nullable().default(null),
    tokens: z.array(z.strictObject({ asset: address, symbol, name, decimals })).default([]),
  })
  .refine((chain) => chain.finality >= chain.confirmations, {
    path: ["finality"],
    message: "must be at least as many blocks as confirmations.",
  })
  .refine(({ tokens, usd }) => tokens.some(({ asset }) => asset === usd), {
    path: ["tokens"],
    message: "must list the token of usd.",
  });

function settingsOf(configured: z.output<typeof ConfiguredChain>): ChainSettings {
  const { native, multicall3, wrappedNative, usd, venue, bridge, tokens, ...chain } = configured;
  return {
    ...chain,
    sandbox: false,
    contracts: { multicall3, wrappedNative, usd, venue, bridge },
    tokens: [{ asset: "native", ...native, decimals: 18 }, ...tokens],
  };
}

/** CHAINS: the real networks of an installation, as a JSON array. */
export const ChainsSetting = z
  .string()
  .transform((text, context) => {
    try {
      const networks: unknown = JSON.parse(text);
      return networks;
    } catch (error) {
      context.addIssue(`is not JSON: ${messageOf(error)}.`);
      return z.NEVER;
    }
  })
  .pipe(z.array(ConfiguredChain).min(1, "must have at least one chain."))
  .refine((chains) => new Set(chains.map(({ chainId }) => chainId)).size === chains.length, {
    message: "names a chainId twice.",
  })
  .transform((chains) => chains.map(settingsOf));
