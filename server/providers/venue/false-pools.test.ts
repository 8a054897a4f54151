import { type Address, encodeFunctionData, parseEther, parseUnits } from "viem";
import { expect, onTestFinished, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { factoryAbi, poolAbi, sandboxTokenAbi } from "#server/providers/chain/abi.ts";
import { openChains } from "#server/providers/chain/chains.ts";
import { readArtifacts } from "#server/providers/chain/sandbox/compile-contracts.ts";
import { startTestChain, type TestChain } from "#server/testing/chain.ts";
import { deploy, type Part, startPoolOwner } from "#server/testing/pools.ts";
import { venueOf } from "./venue-of.ts";

const HALF_AN_HOUR = 1800;

type Token = TestChain["settings"]["tokens"][number];

/** Starts a chain with a stranger who opens pools of their own, with plenty of every token. */
async function startStranger() {
  const sandbox = await startTestChain();
  onTestFinished(() => sandbox.kill());
  const stranger = sandbox.accounts.treasury.address;
  const [usd, weth, gold] = ["USD", "WETH", "GOLD"].map((symbol) => sandbox.token(symbol)) as [
    Address,
    Address,
    Address,
  ];
  await sandbox.fund(stranger, { eth: "40000000", usd: "40000000000" });
  await sandbox.fund(stranger, { token: { asset: gold, amount: "40000000" } });
  await sandbox.sendAs(stranger, weth, "0xd0e30db0", parseEther("30000000"));
  const pools = await startPoolOwner(sandbox, stranger);

  /** Returns the prices as a process that has just found all pools sees them. */
  function read(named: readonly Address[] | null = null, others: readonly Token[] = []) {
    const { contracts, tokens, ...settings } = sandbox.settings;
    const venue = contracts.venue && { ...contracts.venue, pools: named };
    const listed = { ...settings, contracts: { ...contracts, venue }, tokens: [...tokens, ...others] };
    const chain = defined(openChains([listed]).all[0]);
    return defined(venueOf(chain)).readPrices();
  }

  async function wait(seconds = HALF_AN_HOUR + 60) {
    await sandbox.client.increaseTime({ seconds });
    await sandbox.mine();
  }

  /** Deploys a token that no pool trades yet, of which the stranger has plenty. */
  async function launch() {
    const { SandboxToken } = await readArtifacts();
    const asset = await deploy(sandbox, stranger, SandboxToken, "New", "NEW", 18, stranger);
    const args = [stranger, parseEther("40000000")] as const;
    await sandbox.sendAs(
      stranger,
      asset,
      encodeFunctionData({ abi: sandboxTokenAbi, functionName: "mint", args }),
    );
    return { asset, symbol: "NEW", name: "New", decimals: 18 };
  }

  const poolOf = (asset: Address, fee: number) =>
    sandbox.client.readContract({
      address: defined(sandbox.settings.contracts.venue?.factory),
      abi: factoryAbi,
      functionName: "getPool",
      args: [asset, usd, fee],
    });
  const eth = (amount: string): Part => ({ asset: weth, units: parseEther(amount) });
  const dollars = (amount: string): Part => ({ asset: usd, units: parseUnits(amount, 6) });
  const golden = (amount: string): Part => ({ asset: gold, units: parseEther(amount) });
  return { sandbox, pools, read, wait, launch, poolOf, eth, dollars, golden, gold };
}

test.each([
  ["a hundred-thousandth", "0.03"],
  ["nine tenths", "2700"],
  ["eleven tenths", "3300"],
  ["a hundred thousand times", "300000000"],
])(
  "a pool opened at %s of the price and filled for a moment moves no value by anything",
  async (_, price) => {
    const { pools, read, wait, eth, dollars } = await startStranger();
    const before = await read();
    await pools.open(10_000, [eth("1"), dollars(price)]);
    await pools.add(10_000, [eth("0.000001"), dollars("0.001")]);
    expect(await read()).toEqual(before);
    await wait();
    await pools.add(10_000, [eth("10000000"), dollars("100000000")]);
    expect(await read()).toEqual(before);
  },
);

test.each([
  ["low", "0.00001"],
  ["high", "10000"],
])("a %s pool to another token, filled for a moment, moves no value over two pools", async (_, price) => {
  const { pools, read, wait, eth, golden } = await startStranger();
  const before = await read();
  await pools.open(500, [golden("1"), eth(price)]);
  await pools.add(500, [golden("0.0001"), eth("0.0001")]);
  await wait();
  await pools.add(500, [golden("10000000"), eth("10000000")]);
  expect(await read()).toEqual(before);
});

test.each([
  ["low", "0.03"],
  ["high", "300000000"],
])(
  "a %s pool that holds one side only counts for nothing, however long and densely it stands",
  async (_, price) => {
    const { sandbox, pools, read, wait, poolOf, eth, dollars } = await startStranger();
    const before = await read();
    await pools.open(10_000, [eth("1"), dollars(price)]);
    const [, tick] = await sandbox.client.readContract({
      address: await poolOf(eth("1").asset, 10_000),
      abi: poolAbi,
      functionName: "slot0",
    });
    const lower = Math.floor(tick / 200) * 200;
    await pools.add(10_000, [eth("20"), dollars("100000")], [lower, lower + 200]);
    await wait();
    expect(await read()).toEqual(before);
  },
);

test("there is no price if an equally liquid pool has another price for half an hour", async () => {
  const { pools, read, wait, dollars, golden, gold } = await startStranger();
  await pools.open(500, [golden("1"), dollars("3100")]);
  await pools.add(500, [golden("4000"), dollars("12400000")]);
  expect((await read()).get(gold)).toMatchObject({ reliable: true });
  await wait();
  expect((await read()).get(gold)).toMatchObject({ reliable: false });
});

test.each([
  ["the same pool", 3000, "all pools", null],
  ["another pool", 500, "all pools", null],
  ["the same pool", 3000, "named pools", [3000]],
  ["another pool", 500, "named pools", [3000, 500]],
])(
  "a thousand times the depth at the market's price, in %s (%i), leaves a price by %s as it was",
  async (_, fee, __, fees) => {
    const { pools, read, wait, poolOf, dollars, golden, gold } = await startStranger();
    await pools.open(500, [golden("1"), dollars("2500")]);
    await pools.add(500, [golden("1"), dollars("2500")]);
    await wait();
    const named = fees && (await Promise.all(fees.map((tier) => poolOf(gold, tier))));
    const usual = { spotUsd: "2500", reliable: true };
    expect((await read(named)).get(gold)).toMatchObject(usual);
    await pools.add(fee, [golden("4000000"), dollars("10000000000")]);
    expect((await read(named)).get(gold)).toMatchObject(usual);
  },
);

test("there is no price while a pool that is a hundred times as deep offers another", async () => {
  const { pools, read, wait, dollars, golden, gold } = await startStranger();
  await pools.open(500, [golden("1"), dollars("3100")]);
  await wait();
  expect((await read()).get(gold)).toMatchObject({ reliable: true });
  await pools.add(500, [golden("4000000"), dollars("12400000000")]);
  expect((await read()).get(gold)).toMatchObject({ reliable: false });
});

test("a false price of a shallow pool is not confirmed by filling it above the deep pool that it hides", async () => {
  const { pools, read, wait, launch, dollars } = await startStranger();
  const token = await launch();
  const fresh = (amount: string): Part => ({ asset: token.asset, units: parseEther(amount) });
  const priced = async () => (await read(null, [token])).get(token.asset);
  await pools.open(500, [fresh("1"), dollars("0.01")]);
  await pools.add(500, [fresh("1"), dollars("0.01")]);
  await wait();
  expect(await priced()).toMatchObject({ reliable: true });
  // The market's own pool is new, so that its liquidity has no weight yet.
  await pools.open(3000, [fresh("1"), dollars("1000")]);
  await pools.add(3000, [fresh("1000"), dollars("1000000")]);
  expect(await priced()).toMatchObject({ reliable: false });
  await pools.add(500, [fresh("30000000"), dollars("3000000")]);
  expect(await priced()).toMatchObject({ reliable: false });
});

test("where the operator names pools, no others count", async () => {
  const { pools, read, wait, poolOf, dollars, golden, gold } = await startStranger();
  const before = await read();
  const own = await poolOf(gold, 3000);
  await pools.open(500, [golden("1"), dollars("3100")]);
  await pools.add(500, [golden("40000"), dollars("124000000")]);
  await wait();
  const named = await read([own]);
  expect(named.get(gold)).toEqual(before.get(gold));
  expect(named.get("native")).toBeUndefined();
});
