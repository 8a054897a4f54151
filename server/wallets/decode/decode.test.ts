import { maxUint160, maxUint256, parseEther, zeroAddress } from "viem";
import { describe, expect, test } from "vitest";
import {
  ADA,
  allowance,
  BRIDGE,
  data,
  decode,
  ME,
  multicall,
  ROUTER,
  SINGLE,
  STRANGE,
  swap,
  transfer,
  USD,
  WETH,
} from "#server/testing/contract-calls.ts";
import { costOf } from "#server/testing/cpu.ts";
import { PERMIT2 } from "./token.ts";

const signed = [
  "uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature",
  [0n, 1n, `0x${"00".repeat(32)}`, "0x"],
] as const;

// biome-ignore format: a table
const TOKEN_CALLS: [name: string, signature: string, args: unknown[], effect: object][] = [
  ["transfer", "transfer(address, uint256)", [ADA, 5n], transfer(USD, 5n, ADA)],
  ["transferFrom", "transferFrom(address, address, uint256)", [ME, ADA, 5n], transfer(USD, 5n, ADA)],
  ["transferFrom of another's", "transferFrom(address, address, uint256)", [STRANGE, ADA, 5n], transfer(USD, 5n, ADA)],
  ["approve", "approve(address, uint256)", [ADA, 5n], allowance(USD, 5n, ADA)],
  ["approve of everything", "approve(address, uint256)", [ADA, maxUint256], allowance(USD, "unlimited", ADA)],
  ["increaseAllowance", "increaseAllowance(address, uint256)", [ADA, 5n], allowance(USD, 5n, ADA)],
  ["decreaseAllowance", "decreaseAllowance(address, uint256)", [ADA, 5n], { type: "call" }],
  ["setApprovalForAll", "setApprovalForAll(address, bool)", [ADA, true], allowance(USD, "unlimited", ADA)],
  ["permit", "permit(address, address, uint256, uint256, bytes)", [ME, ADA, 5n, 1n, "0x"], allowance(USD, 5n, ADA)],
  ["permit of another's", "permit(address, address, uint256, uint256, bytes)", [STRANGE, ADA, 5n, 1n, "0x"], { type: "call" }],
  ["permit in DAI's form", "permit(address, address, uint256, uint256, bool, uint8, bytes32, bytes32)", [ME, ADA, 1n, 1n, true, 27, signed[1][2], signed[1][2]], allowance(USD, "unlimited", ADA)],
  ["transferWithAuthorization", `transferWithAuthorization(address from, address to, uint256 value, ${signed[0]})`, [ME, ADA, 5n, ...signed[1]], transfer(USD, 5n, ADA)],
  ["receiveWithAuthorization from another", `receiveWithAuthorization(address from, address to, uint256 value, ${signed[0]})`, [STRANGE, ME, 5n, ...signed[1]], { type: "call" }],
];

test.for(TOKEN_CALLS)("decodes %s of a token", ([_, signature, args, effect]) => {
  expect(decode({ data: data(signature, args) }).effects).toMatchObject([{ ...effect, contract: USD }]);
});

test("decodes a native send, and the value of a call that keeps it", () => {
  expect(decode({ to: ADA, value: 7n }).effects).toMatchObject([transfer("native", 7n, ADA)]);
  const paid = decode({ value: 7n, data: data("transfer(address, uint256)", [ADA, 5n]) });
  expect(paid.effects).toMatchObject([transfer("native", 7n, USD), transfer(USD, 5n, ADA)]);
});

test("treats wrapping and unwrapping as no outflow", () => {
  const wrap = decode({ to: WETH, value: 7n, data: data("deposit()", []) });
  expect(wrap.effects).toEqual([
    { type: "call", asset: null, amount: 0n, recipient: null, contract: WETH, method: "deposit()" },
  ]);
  expect(decode({ to: WETH, data: data("withdraw(uint256)", [7n]) }).effects).toMatchObject([
    { type: "call" },
  ]);
});

// biome-ignore format: a table
const PERMIT2_CALLS: [name: string, signature: string, args: unknown[], effect: object][] = [
  ["approve", "approve(address, address, uint160, uint48)", [USD, ADA, 5n, 1], allowance(USD, 5n, ADA)],
  ["approve of everything", "approve(address, address, uint160, uint48)", [USD, ADA, maxUint160, 1], allowance(USD, "unlimited", ADA)],
  ["transferFrom", "transferFrom(address, address, uint160, address)", [ME, ADA, 5n, USD], transfer(USD, 5n, ADA)],
  ["permit", "permit(address, ((address, uint160, uint48, uint48), address, uint256), bytes)", [ME, [[USD, 5n, 1, 1], ADA, 1n], "0x"], allowance(USD, 5n, ADA)],
];

test.for(PERMIT2_CALLS)("decodes %s of Permit2", ([_, signature, args, effect]) => {
  expect(decode({ to: PERMIT2, data: data(signature, args) }).effects).toMatchObject([
    { ...effect, contract: PERMIT2 },
  ]);
});

describe("the venue's router", () => {
  test("spends a swap's input on itself where the output comes back", () => {
    expect(decode({ to: ROUTER, data: swap(USD, WETH, ME, 5n) }).effects).toMatchObject([
      { ...transfer(USD, 5n, ROUTER), contract: ROUTER, method: SINGLE.replaceAll(" ", "") },
    ]);
  });

  test("spends it on the recipient of the output", () => {
    expect(decode({ to: ROUTER, data: swap(USD, WETH, ADA, 5n) }).effects).toMatchObject([
      transfer(USD, 5n, ADA),
    ]);
  });

  test("finds the recipient of unwrapped tokens inside a multicall", () => {
    const unwrap = data("unwrapWETH9(uint256, address)", [1n, ADA]);
    const { effects } = decode({ to: ROUTER, data: multicall(swap(USD, WETH, zeroAddress, 5n), unwrap) });
    expect(effects).toMatchObject([transfer(USD, 5n, ADA), { type: "call" }]);
  });

  test("counts payments from the call's value once", () => {
    const paid = decode({ to: ROUTER, value: 5n, data: swap(WETH, USD, ME, 5n) });
    expect(paid.effects).toMatchObject([transfer("native", 5n, ROUTER)]);
  });

  test("counts every swap of a multicall that the value does not cover", () => {
    const calls = multicall(swap(WETH, USD, ME, 5n), swap(WETH, USD, ME, 5n));
    expect(decode({ to: ROUTER, value: 6n, data: calls }).effects).toMatchObject([
      transfer("native", 1n, ROUTER),
      transfer("native", 5n, ROUTER),
      transfer(WETH, 5n, ROUTER),
    ]);
  });

  test("takes the first token of a path for the input, and the last one for an exact output", () => {
    const path = `0x${USD.slice(2)}000bb8${WETH.slice(2)}`;
    const exactIn = data("exactInput((bytes, address, uint256, uint256, uint256))", [[path, ME, 1n, 5n, 1n]]);
    const exactOut = data("exactOutput((bytes, address, uint256, uint256, uint256))", [
      [path, ME, 1n, 1n, 9n],
    ]);
    expect(decode({ to: ROUTER, data: exactIn }).effects).toMatchObject([transfer(USD, 5n, ROUTER)]);
    expect(decode({ to: ROUTER, data: exactOut }).effects).toMatchObject([transfer(WETH, 9n, ROUTER)]);
  });

  test("does not decode a multicall whose calls share one offset", async () => {
    const word = (number: number) => number.toString(16).padStart(64, "0");
    const [count, bytes] = [250, 24_000];
    const offsets = Array.from({ length: count }, () => word(count * 32)).join("");
    const calls = `0xac9650d8${word(32)}${word(count)}${offsets}${word(bytes)}${"11".repeat(bytes)}` as const;
    const honest = multicall(...Array.from({ length: count }, () => `0x${"11".repeat(96)}`));
    expect(decode({ to: ROUTER, data: calls }).effects).toMatchObject([{ type: "unknown" }]);
    const cost = (data: `0x${string}`) => costOf(() => decode({ to: ROUTER, data }));
    const ratio = async () => (await cost(calls)) / (await cost(honest));
    await expect.poll(ratio).toBeLessThan(2);
  });

  test("does not know a multicall with a function in it that it does not know", () => {
    const calls = multicall(swap(USD, WETH, ME, 5n), "0xdeadbeef");
    expect(decode({ to: ROUTER, data: calls }).effects).toMatchObject([
      transfer(USD, 5n, ROUTER),
      { type: "unknown", contract: ROUTER, method: "0xdeadbeef" },
    ]);
  });
});

test.for(["0xdeadbeef", "0xdead", `0xa9059cbb${"00".repeat(12)}`] as const)(
  "does not know calldata %s, and counts the value beside it",
  (bytes) => {
    expect(decode({ to: STRANGE, value: 7n, data: bytes }).effects).toMatchObject([
      transfer("native", 7n, STRANGE),
      { type: "unknown", contract: STRANGE },
    ]);
  },
);

test("decodes a bridge deposit as spending, for the recipient on the other chain", () => {
  const signature =
    "deposit(address recipient, address inputToken, uint256 inputAmount, uint256 destinationChainId, address outputToken, uint256 minimumOutput, uint256 depositDeadline, uint256 fillDeadline)";
  const deposit = (recipient: string, token: string) =>
    decode({ to: BRIDGE, data: data(signature, [recipient, token, 5n, 31_338n, USD, 4n, 1n, 2n]) }).effects;
  expect(deposit(ADA, USD)).toMatchObject([transfer(USD, 5n, ADA)]);
  expect(deposit(ME, zeroAddress)).toMatchObject([transfer("native", 5n, BRIDGE)]);
  const strange = data("drain(address to)", [ADA]);
  expect(decode({ to: BRIDGE, data: strange }).effects).toMatchObject([{ type: "unknown" }]);
});

test("describes a call in words", () => {
  expect(decode({ to: ADA, value: parseEther("0.5") }).description).toBe(`Send 0.5 ETH to ${ADA}`);
  expect(decode({ data: data("transfer(address, uint256)", [ADA, 250_000_000n]) }).description).toBe(
    `Send 250 USD to ${ADA}`,
  );
  expect(decode({ data: data("approve(address, uint256)", [ADA, maxUint256]) }).description).toBe(
    `Let ${ADA} spend any amount of USD`,
  );
  expect(decode({ to: STRANGE, data: "0xdeadbeef" }).description).toBe(
    `Make a call that can't be decoded: 0xdeadbeef of ${STRANGE}`,
  );
});
