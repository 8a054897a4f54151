import { type Address, isAddressEqual, parseAbi } from "viem";
import { EIP3009 } from "#server/providers/chain/abi.ts";
import { tokenOf } from "../describe-effects.ts";
import type { Call, Effect } from "../effects.ts";
import { amountOf, type Decoded, decodeWith, nativeTransfer, nothing } from "./function.ts";

/** Uniswap's Permit2 stands at this address on every chain. */
export const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

export const TOKEN = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function increaseAllowance(address spender, uint256 amount)",
  "function decreaseAllowance(address spender, uint256 amount)",
  "function setApprovalForAll(address operator, bool approved)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
  "function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)",
  ...EIP3009,
]);

export const WRAPPED = parseAbi(["function deposit()", "function withdraw(uint256 amount)"]);

export const PERMIT2_CALLS = parseAbi([
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
  "function transferFrom(address from, address to, uint160 amount, address token)",
  "struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }",
  "struct Single { Details details; address spender; uint256 sigDeadline; }",
  "struct Batch { Details[] details; address spender; uint256 sigDeadline; }",
  "function permit(address owner, Single permitSingle, bytes signature)",
  "function permit(address owner, Batch permitBatch, bytes signature)",
]);

/** Returns the effects of a call of a token, of the wrapped native asset or of Permit2; null for any other function. */
export function decodeTokenCall(call: Call): Effect[] | null {
  const { to, value } = call;
  const spent = isAddressEqual(to, PERMIT2)
    ? permit2Effects(call)
    : (wrappedEffects(call) ?? tokenEffects(call));
  if (!spent) return null;
  const [first] = spent;
  // Wrapping returns the value as a token; with any other function the contract keeps it.
  if (value === 0n || first?.method === "deposit()") return spent;
  return [nativeTransfer(call), ...spent];
}

function wrappedEffects({ chain, to, data }: Call): Effect[] | null {
  if (!isAddressEqual(to, chain.contracts.wrappedNative)) return null;
  const decoded = decodeWith(WRAPPED, data);
  return decoded && [nothing(to, decoded.method)];
}

/** Returns a call's effects. With an unlisted contract, an amount of 0 is not harmless: it may be the id of an NFT. */
function tokenEffects({ chain, from, to, data }: Call): Effect[] | null {
  const decoded = decodeWith(TOKEN, data);
  if (!decoded) return null;
  const effects = listedEffects(decoded, from, to);
  if (tokenOf(chain.tokens, to) || effects.some(({ amount }) => amount !== 0n)) return effects;
  return [{ ...nothing(to, decoded.method), type: "unknown" }];
}

/** Returns the effects of a call of a listed token. */
function listedEffects({ name, args, method }: Decoded<typeof TOKEN>, from: Address, to: Address): Effect[] {
  const moved = (type: "transfer" | "allowance", recipient: Address, amount: Effect["amount"]): Effect[] => [
    { type, asset: to, amount, recipient, contract: to, method },
  ];
  const isOurs = isAddressEqual(args[0], from);
  switch (name) {
    case "transfer":
      return moved("transfer", args[0], args[1]);
    // An allowance that another address gave the wallet counts as the wallet's own money.
    case "transferFrom":
      return moved("transfer", args[1], args[2]);
    case "approve":
    case "increaseAllowance":
      return moved("allowance", args[0], amountOf(args[1], 256));
    case "setApprovalForAll":
      return args[1] ? moved("allowance", args[0], "unlimited") : [nothing(to, method)];
    case "permit":
      return isOurs ? moved("allowance", args[1], permitAmount(args)) : [nothing(to, method)];
    case "transferWithAuthorization":
    case "receiveWithAuthorization":
      return isOurs ? moved("transfer", args[1], args[2]) : [nothing(to, method)];
    default:
      return [nothing(to, method)];
  }
}

/** Returns a permit's amount; DAI's form has eight parameters and allows all or nothing. */
function permitAmount(args: Extract<Decoded<typeof TOKEN>, { name: "permit" }>["args"]): Effect["amount"] {
  if (args.length === 8) return args[4] ? "unlimited" : 0n;
  return amountOf(args[2], 256);
}

function permit2Effects({ from, to, data }: Call): Effect[] | null {
  const decoded = decodeWith(PERMIT2_CALLS, data);
  if (!decoded) return null;
  const { name, args, method } = decoded;
  const effect = (
    type: "transfer" | "allowance",
    asset: Address,
    recipient: Address,
    amount: bigint,
  ): Effect => ({ type, asset, recipient, amount: amountOf(amount, 160), contract: to, method });
  if (name === "approve") return [effect("allowance", args[0], args[1], args[2])];
  if (name === "transferFrom") return [effect("transfer", args[3], args[1], args[2])];
  if (!isAddressEqual(args[0], from)) return [nothing(to, method)];
  const { details, spender } = args[1];
  return [details].flat().map(({ token, amount }) => effect("allowance", token, spender, amount));
}
