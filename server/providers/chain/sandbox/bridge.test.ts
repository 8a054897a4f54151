import {
  type Address,
  type BaseError,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseEther,
  parseEventLogs,
  zeroAddress,
} from "viem";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { startTestChain, type TestChain } from "#server/testing/chain.ts";
import { bridgeAbi, erc20Abi } from "../abi.ts";

const [origin, destination] = await Promise.all([startTestChain(), startTestChain({ chainId: 31338 })]);
const bridge = defined(origin.settings.contracts.bridge);
const usd = origin.settings.contracts.usd;
const relayer = origin.accounts.relayer.address;
const GIVEN: [Address, bigint] = [usd, 100_000_000n];
const WANTED: [Address, bigint] = [usd, 99_000_000n];
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

interface Asked {
  depositor: Address;
  recipient: Address;
  /** By default 100 USD for 99. */
  given?: [token: Address, amount: bigint];
  wanted?: [token: Address, amount: bigint];
  /** The seconds from now within which it may be deposited. */
  within?: number;
}

/** Returns the data of a deposit for the other chain, to be paid to the recipient within a minute. */
async function depositData({ recipient, given = GIVEN, wanted = WANTED, within = 30 }: Asked) {
  const { timestamp } = await origin.client.getBlock();
  const deadlines = [timestamp + BigInt(within), timestamp + 60n] as const;
  return encodeFunctionData({
    abi: bridgeAbi,
    functionName: "deposit",
    args: [recipient, ...given, 31338n, ...wanted, ...deadlines],
  });
}

async function deposit(asked: Asked) {
  const { depositor, given = GIVEN } = asked;
  await origin.fund(depositor, { eth: "2", usd: "100" });
  await approve(origin, depositor);
  const value = given[0] === zeroAddress ? given[1] : 0n;
  const { logs } = await origin.sendAs(depositor, bridge, await depositData(asked), value);
  const [deposited] = parseEventLogs({ abi: bridgeAbi, eventName: "Deposited", logs });
  const order = defined(deposited).args.order;
  return {
    fill: (amount: bigint) =>
      encodeFunctionData({ abi: bridgeAbi, functionName: "fill", args: [order, amount] }),
    claim: encodeFunctionData({ abi: bridgeAbi, functionName: "claim", args: [order, relayer] }),
    refund: encodeFunctionData({ abi: bridgeAbi, functionName: "refund", args: [order] }),
  };
}

/** Returns the error with which the bridge refuses a call. */
async function refusal({ client }: TestChain, account: Address, data: Hex, value = 0n) {
  const fault = await client.call({ account, to: bridge, data, value }).then(
    () => ({ data: "0x" as Hex }),
    (error: BaseError) => error.walk((cause) => "data" in (cause as object)) as unknown as { data: Hex },
  );
  return decodeErrorResult({ abi: bridgeAbi, data: fault.data }).errorName;
}

test("pays at least the minimum on the other chain, and then the relayer, once", async () => {
  const [depositor, recipient] = addresses("1");
  const { fill, claim, refund } = await deposit({ depositor, recipient });
  const before = await balance(origin, relayer);
  expect(await refusal(origin, relayer, fill(99_000_000n))).toBe("WrongChain");
  expect(await refusal(destination, relayer, fill(98_999_999n))).toBe("BelowMinimum");
  await destination.sendAs(relayer, bridge, fill(99_500_000n));
  expect(await balance(destination, recipient)).toBe(99_500_000n);
  expect(await refusal(destination, relayer, fill(99_500_000n))).toBe("BadState");
  expect(await refusal(origin, stranger, claim)).toBe("NotAttester");
  await origin.sendAs(relayer, bridge, claim);
  expect((await balance(origin, relayer)) - before).toBe(100_000_000n);
  expect(await refusal(origin, relayer, claim)).toBe("BadState");
  expect(await refusal(origin, depositor, refund)).toBe("BadState");
});

test("carries the native asset both ways, exactly as much as is sent along", async () => {
  const [depositor, recipient] = addresses("3");
  const asked: Asked = {
    depositor,
    recipient,
    given: [zeroAddress, parseEther("1")],
    wanted: [zeroAddress, parseEther("0.9")],
  };
  const { fill, claim } = await deposit(asked);
  const amount = parseEther("0.9");
  expect(await refusal(origin, depositor, await depositData(asked), 1n)).toBe("BadValue");
  expect(await refusal(destination, relayer, fill(amount), amount - 1n)).toBe("BadValue");
  await destination.sendAs(relayer, bridge, fill(amount), amount);
  expect(await destination.client.getBalance({ address: recipient })).toBe(amount);
  await origin.sendAs(relayer, bridge, claim);
  expect(await origin.client.getBalance({ address: bridge })).toBe(0n);
});

test("refuses a deposit that comes too late", async () => {
  const [depositor, recipient] = addresses("4");
  await origin.fund(depositor, { eth: "1", usd: "100" });
  await approve(origin, depositor);
  const data = await depositData({ depositor, recipient, within: 5 });
  await origin.client.increaseTime({ seconds: 10 });
  await origin.mine();
  expect(await refusal(origin, depositor, data)).toBe("Expired");
});

test("returns the deposit a minute after its deadline, only to the depositor, once", async () => {
  const [depositor, recipient] = addresses("2");
  const { fill, claim, refund } = await deposit({ depositor, recipient });
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
  expect(await refusal(destination, relayer, fill(99_000_000n))).toBe("Expired");
});
