import { expect, test } from "vitest";
import { startTestChain } from "#server/testing/chain.ts";
import { checkChains } from "./check-chains.ts";

const chain = await startTestChain();
const { settings } = chain;
const nowhere = "0x4000000000000000000000000000000000000001";

test("accepts chains that match the settings, and unreachable ones", async () => {
  await checkChains([settings]);
  await checkChains([{ ...settings, rpcUrl: "http://127.0.0.1:1" }]);
});

test("names every fault of every chain", async () => {
  const { contracts, tokens } = settings;
  const faulty = [
    { ...settings, contracts: { ...contracts, multicall3: nowhere, bridge: nowhere } as const },
    { ...settings, chainId: 10 },
    { ...settings, tokens: tokens.map((token) => ({ ...token, decimals: 18 })) },
  ];
  await expect(checkChains(faulty)).rejects.toThrow(
    [
      "CHAINS is invalid:",
      `- eip155:31337: there is no contract at ${nowhere} (multicall3).`,
      `- eip155:31337: there is no contract at ${nowhere} (bridge).`,
      "- eip155:10: its rpcUrl is eip155:31337.",
      "- eip155:31337: USD has 6 decimals, not 18.",
      "- eip155:31337: BTC has 8 decimals, not 18.",
    ].join("\n"),
  );
});

test("names a pool of the venue where no contract is", async () => {
  const venue = settings.contracts.venue && { ...settings.contracts.venue, pools: [nowhere] as const };
  const faulty = { ...settings, contracts: { ...settings.contracts, venue } };
  await expect(checkChains([faulty])).rejects.toThrow(`no contract at ${nowhere} (venue.pools.0).`);
});
