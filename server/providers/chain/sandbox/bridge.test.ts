import {
  type Address,
  type BaseError,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseEventLogs,
} from "viem";
import { expect, test } from "vitest";
import { startTestChain, type TestChain } from "#server/testing/chain.ts";
import { bridgeAbi, erc20Abi } from "../abi.ts";

const [origin, destination] = await Promise.all([startTestChain(), startTestChain({ chainId: 31338 })]);
const bridge = origin.settings.contracts.bridge as Address;
const usd = origin.settings.contracts.usd;
const relayer = origin.accounts.relayer.address;
const stranger = "0x2000000000000000000000000000000000000001";
await Promise.all([approve(destination, relayer), origin.fund(stranger, { eth: "1" })]);

const addresses = (digit: string) =>
  [`0x${digit.repeat(40)}`, `0x${digit.repeat(39)}f`] as [Address, Address];
const balance = ({ client }: TestChain, account: Address) =>
  client.readContract({ address: usd, abi: erc20Abi, functionName: "balanceOf", args: [account] });

async function approve(chain: TestChain, owner: Address) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [bridge, 2n ** 255n] });
  await chain.sendAs(owner, usd, data);
}

/** A new depositor's 100 USD for 99 on the other chain, to be paid to the recipient within a minute. */
async function deposit(depositor: Address, recipient: Address) {
  await origin.fund(depositor, { eth: "1", usd: "100" });
  await approve(origin, depositor);
  const { timestamp } = await origin.client.getBlock();
  const args = [recipient, usd, 100_000_000n, 31338n, usd, 99_000_000n, Number(timestamp) + 60] as const;
  const data = encodeFunctionData({ abi: bridgeAbi, functionName: "deposit", args });
  const { logs } = await origin.sendAs(depositor, bridge, data);
  const [deposited] = parseEventLogs({ abi: bridgeAbi, eventName: "Deposited", logs });
  const order = (deposited as NonNullable<typeof deposited>).args.order;
  return {
    fill: encodeFunctionData({ abi: bridgeAbi, functionName: "fill", args: [order] }),
    claim: encodeFunctionData({ abi: bridgeAbi, functionName: "claim", args: [order, relayer] }),
    refund: encodeFunctionData({ abi: bridgeAbi, functionName: "refund", args: [order] }),
  };
}

/** The error that the bridge refuses a call with. */
async function refusal({ client }: TestChain, account: Address, data: Hex) {
  const fault = await client.call({ account, to: bridge, data }).then(
    () => ({ data: "0x" as Hex }),
    (error: BaseError) => error.walk((cause) => "data" in (cause as object)) as unknown as { data: Hex },
  );
  return decodeErrorResult({ abi: bridgeAbi, data: fault.data }).errorName;
}

test("pays on the other chain, and then the relayer, once", async () => {
  const [depositor, recipient] = addresses("1");
  const { fill, claim, refund } = await deposit(depositor, recipient);
  const before = await balance(origin, relayer);
  expect(await refusal(origin, relayer, fill)).toBe("WrongChain");
  await destination.sendAs(relayer, bridge, fill);
  expect(await balance(destination, recipient)).toBe(99_000_000n);
  expect(await refusal(destination, relayer, fill)).toBe("BadState");
  expect(await refusal(origin, stranger, claim)).toBe("NotAttester");
  await origin.sendAs(relayer, bridge, claim);
  expect((await balance(origin, relayer)) - before).toBe(100_000_000n);
  expect(await refusal(origin, relayer, claim)).toBe("BadState");
  expect(await refusal(origin, depositor, refund)).toBe("BadState");
});

test("returns the deposit after its deadline and a minute for claims, to the depositor alone, once", async () => {
  const [depositor, recipient] = addresses("2");
  const { fill, claim, refund } = await deposit(depositor, recipient);
  await origin.client.increaseTime({ seconds: 110 });
  await origin.mine();
  expect(await refusal(origin, stranger, refund)).toBe("NotExpired");
  await origin.client.increaseTime({ seconds: 20 });
  await origin.mine();
  await origin.sendAs(stranger, bridge, refund);
  expect([await balance(origin, depositor), await balance(origin, stranger)]).toEqual([100_000_000n, 0n]);
  expect(await refusal(origin, depositor, refund)).toBe("BadState");
  expect(await refusal(origin, relayer, claim)).toBe("BadState");
  await destination.client.increaseTime({ seconds: 200 });
  await destination.mine();
  expect(await refusal(destination, relayer, fill)).toBe("Expired");
});
