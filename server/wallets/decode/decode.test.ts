import {
  type Abi,
  encodeFunctionData,
  maxUint160,
  maxUint256,
  parseAbi,
  parseEther,
  zeroAddress,
} from "viem";
import { describe, expect, test } from "vitest";
import { defined } from "#server/defined.ts";
import { costOf } from "#server/testing/cpu.ts";
import { type Call, decodeCall, type Effect } from "../effects.ts";
import { decodeCalls } from "./calls.ts";
import { PERMIT2 } from "./token.ts";
import { decodeTypedData } from "./typed-data.ts";

const ME = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const ADA = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const USD = "0x1111111111111111111111111111111111111111";
const WETH = "0x2222222222222222222222222222222222222222";
const ROUTER = "0x3333333333333333333333333333333333333333";
const BRIDGE = "0x5555555555555555555555555555555555555555";
const STRANGE = "0x4444444444444444444444444444444444444444";

const chain: Call["chain"] = {
  contracts: {
    multicall3: zeroAddress,
    wrappedNative: WETH,
    usd: USD,
    bridge: BRIDGE,
    venue: { factory: zeroAddress, quoter: zeroAddress, router: ROUTER },
  },
  tokens: [
    { asset: "native", symbol: "ETH", name: "Ether", decimals: 18 },
    { asset: USD, symbol: "USD", name: "Test USD", decimals: 6 },
    { asset: WETH, symbol: "WETH", name: "Wrapped Ether", decimals: 18 },
  ],
};

const data = (signature: string, args: unknown[]) =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]) as Abi, args });

const decode = (call: Partial<Call>) =>
  decodeCall({ chain, from: ME, to: USD, value: 0n, data: "0x", ...call });

const transfer = (asset: Effect["asset"], amount: bigint, recipient: Effect["recipient"]) => ({
  type: "transfer",
  asset,
  amount,
  recipient,
});
const allowance = (asset: Effect["asset"], amount: Effect["amount"], recipient: Effect["recipient"]) => ({
  type: "allowance",
  asset,
  amount,
  recipient,
});

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

test("tells a native send, and the value that goes along with a call that keeps it", () => {
  expect(decode({ to: ADA, value: 7n }).effects).toMatchObject([transfer("native", 7n, ADA)]);
  const paid = decode({ value: 7n, data: data("transfer(address, uint256)", [ADA, 5n]) });
  expect(paid.effects).toMatchObject([transfer("native", 7n, USD), transfer(USD, 5n, ADA)]);
});

test("takes wrapping and unwrapping for what moves nothing away", () => {
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

const SINGLE = "exactInputSingle((address, address, uint24, address, uint256, uint256, uint256, uint160))";
const swap = (tokenIn: string, tokenOut: string, recipient: string, amount: bigint) =>
  data(SINGLE, [[tokenIn, tokenOut, 3000, recipient, 1n, amount, 1n, 0n]]);
const multicall = (...calls: string[]) => data("multicall(bytes[])", [calls]);

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

  test("looks through a multicall for who gets what the router unwraps", () => {
    const unwrap = data("unwrapWETH9(uint256, address)", [1n, ADA]);
    const { effects } = decode({ to: ROUTER, data: multicall(swap(USD, WETH, zeroAddress, 5n), unwrap) });
    expect(effects).toMatchObject([transfer(USD, 5n, ADA), { type: "call" }]);
  });

  test("counts what is paid out of the value once", () => {
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

  test("does not decode a multicall whose calls all stand in one place", async () => {
    const word = (number: number) => number.toString(16).padStart(64, "0");
    const [count, bytes] = [250, 24_000];
    const offsets = Array.from({ length: count }, () => word(count * 32)).join("");
    const calls = `0xac9650d8${word(32)}${word(count)}${offsets}${word(bytes)}${"11".repeat(bytes)}` as const;
    const honest = multicall(...Array.from({ length: count }, () => `0x${"11".repeat(96)}`));
    expect(decode({ to: ROUTER, data: calls }).effects).toMatchObject([{ type: "unknown" }]);
    const cost = await costOf(() => decode({ to: ROUTER, data: calls }));
    expect(cost).toBeLessThan(2 * (await costOf(() => decode({ to: ROUTER, data: honest }))));
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

test("takes a deposit in the bridge for what it spends, for the recipient on the other chain", () => {
  const signature =
    "deposit(address recipient, address inputToken, uint256 inputAmount, uint256 destinationChainId, address outputToken, uint256 minimumOutput, uint256 depositDeadline, uint256 fillDeadline)";
  const deposit = (recipient: string, token: string) =>
    decode({ to: BRIDGE, data: data(signature, [recipient, token, 5n, 31_338n, USD, 4n, 1n, 2n]) }).effects;
  expect(deposit(ADA, USD)).toMatchObject([transfer(USD, 5n, ADA)]);
  expect(deposit(ME, zeroAddress)).toMatchObject([transfer("native", 5n, BRIDGE)]);
  const strange = data("drain(address to)", [ADA]);
  expect(decode({ to: BRIDGE, data: strange }).effects).toMatchObject([{ type: "unknown" }]);
});

test("says what a call does in words", () => {
  expect(decode({ to: ADA, value: parseEther("0.5") }).description).toBe(`Send 0.5 ETH to ${ADA}`);
  expect(decode({ data: data("transfer(address, uint256)", [ADA, 250_000_000n]) }).description).toBe(
    `Send 250 USD to ${ADA}`,
  );
  expect(decode({ data: data("approve(address, uint256)", [ADA, maxUint256]) }).description).toBe(
    `Let ${ADA} spend any amount of USD`,
  );
  expect(decode({ to: STRANGE, data: "0xdeadbeef" }).description).toBe(
    `Do what can't be decoded: 0xdeadbeef of ${STRANGE}`,
  );
});

const domain = { name: "Test USD", version: "1", chainId: 31337, verifyingContract: USD };
const fields = (text: string) =>
  text
    .split(",")
    .map((field) => ({ type: defined(field.split(" ")[0]), name: defined(field.split(" ")[1]) }));
const details = fields("address token,uint160 amount,uint48 expiration,uint48 nonce");
const permissions = fields("address token,uint256 amount");

// biome-ignore format: a table
const TYPED: [name: string, primaryType: string, types: Record<string, ReturnType<typeof fields>>, message: Record<string, unknown>, effects: object[]][] = [
  ["permit (EIP-2612)", "Permit", { Permit: fields("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline") },
    { owner: ME, spender: ADA, value: "5", nonce: 0, deadline: 1 }, [allowance(USD, 5n, ADA)]],
  ["permit of everything", "Permit", { Permit: fields("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline") },
    { owner: ME, spender: ADA, value: String(maxUint256), nonce: 0, deadline: 1 }, [allowance(USD, "unlimited", ADA)]],
  ["permit in DAI's form", "Permit", { Permit: fields("address holder,address spender,uint256 nonce,uint256 expiry,bool allowed") },
    { holder: ME, spender: ADA, nonce: 0, expiry: 1, allowed: true }, [allowance(USD, "unlimited", ADA)]],
  ["TransferWithAuthorization (EIP-3009)", "TransferWithAuthorization", { TransferWithAuthorization: fields("address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce") },
    { from: ME, to: ADA, value: "0x5", validAfter: 0, validBefore: 1, nonce: "0x00" }, [transfer(USD, 5n, ADA)]],
  ["PermitBatch (Permit2)", "PermitBatch", { PermitBatch: fields("PermitDetails[] details,address spender,uint256 sigDeadline"), PermitDetails: details },
    { details: [{ token: USD, amount: "5" }, { token: WETH, amount: "6" }], spender: ADA, sigDeadline: 1 }, [allowance(USD, 5n, ADA), allowance(WETH, 6n, ADA)]],
  ["PermitTransferFrom (Permit2)", "PermitTransferFrom", { PermitTransferFrom: fields("TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline"), TokenPermissions: permissions },
    { permitted: { token: USD, amount: "5" }, spender: ADA, nonce: 0, deadline: 1 }, [allowance(USD, 5n, ADA)]],
  ["PermitWitnessTransferFrom (Permit2)", "PermitWitnessTransferFrom", { PermitWitnessTransferFrom: fields("TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness"), Order: fields("uint256 id"), TokenPermissions: permissions },
    { permitted: { token: USD, amount: "5" }, spender: ADA, nonce: 0, deadline: 1, witness: { id: 1 } }, [allowance(USD, 5n, ADA)]],
  ["CancelAuthorization", "CancelAuthorization", { CancelAuthorization: fields("address authorizer,bytes32 nonce") },
    { authorizer: ME, nonce: "0x00" }, [{ type: "call", asset: USD, amount: 0n }]],
  ["an order of a market", "OrderComponents", { OrderComponents: fields("address offerer,uint256 counter") },
    { offerer: ME, counter: 1 }, [{ type: "unknown" }]],
  ["a permit whose type is not the standard's", "Permit", { Permit: fields("address owner,address spender,uint256 value") },
    { owner: ME, spender: ADA, value: "5" }, [{ type: "unknown" }]],
  ["a permit whose amount can't be read", "Permit", { Permit: fields("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline") },
    { owner: ME, spender: ADA, value: "five", nonce: 0, deadline: 1 }, [{ type: "unknown" }]],
];

test.for(TYPED)("decodes typed data: %s", ([_, primaryType, types, message, effects]) => {
  const decoded = decodeTypedData({ domain, types, primaryType, message });
  expect(decoded).toMatchObject({
    network: "eip155:31337",
    signature: { kind: "typed_data", contract: USD, primaryType },
  });
  expect(decoded.effects).toMatchObject(effects);
});

test("takes a contract that the domain's type leaves out for none", () => {
  const types = { EIP712Domain: fields("string name"), Mail: fields("string text") };
  const decoded = decodeTypedData({ domain, types, primaryType: "Mail", message: { text: "Hi" } });
  expect(decoded).toMatchObject({ network: null, signature: { contract: null } });
});

describe("the calls of a transaction, argument by argument", () => {
  const calls = (call: Partial<Call>) =>
    decodeCalls({ chain, from: ME, to: USD, value: 0n, data: "0x", ...call });

  test("are those of a router's batch each, with the fields of structs by their path", () => {
    const bytes = multicall(swap(USD, WETH, ROUTER, 60n), data("unwrapWETH9(uint256, address)", [1n, ME]));
    const [first, second, ...others] = calls({ to: ROUTER, data: bytes });
    expect(first?.arguments?.slice(0, 3)).toEqual([
      { name: "swap.tokenIn", type: "address", value: USD },
      { name: "swap.tokenOut", type: "address", value: WETH },
      { name: "swap.fee", type: "uint24", value: "3000" },
    ]);
    expect(second).toMatchObject({ contract: ROUTER, method: "unwrapWETH9(uint256,address)" });
    expect(others).toEqual([]);
  });

  test("name each item of a list of structs", () => {
    const details = [
      [USD, 5n, 1, 0],
      [WETH, 7n, 1, 0],
    ];
    const bytes = data("permit(address, ((address, uint160, uint48, uint48)[], address, uint256), bytes)", [
      ME,
      [details, ADA, 9n],
      "0x",
    ]);
    expect(calls({ to: PERMIT2, data: bytes })[0]?.arguments).toMatchObject([
      { name: "owner", value: ME },
      { name: "permitBatch.details[0].token", type: "address", value: USD },
      { name: "permitBatch.details[0].amount", type: "uint160", value: "5" },
      { name: "permitBatch.details[0].expiration", value: "1" },
      { name: "permitBatch.details[0].nonce", value: "0" },
      { name: "permitBatch.details[1].token", value: WETH },
      { name: "permitBatch.details[1].amount", value: "7" },
      { name: "permitBatch.details[1].expiration", value: "1" },
      { name: "permitBatch.details[1].nonce", value: "0" },
      { name: "permitBatch.spender", value: ADA },
      { name: "permitBatch.sigDeadline", value: "9" },
      { name: "signature", type: "bytes", value: "0x" },
    ]);
  });

  test("have no arguments where the function is unknown or its data malformed, and are none of a plain send", () => {
    expect(calls({ to: ADA, value: 7n })).toEqual([]);
    expect(calls({ data: "0x12345678" })).toEqual([{ contract: USD, method: "0x12345678", arguments: null }]);
    expect(calls({ data: "0xa9059cbb00" })).toEqual([
      { contract: USD, method: "0xa9059cbb", arguments: null },
    ]);
    expect(calls({ data: "0x12" })).toEqual([{ contract: USD, method: null, arguments: null }]);
  });
});
