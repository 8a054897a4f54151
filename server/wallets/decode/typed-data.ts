import { type Address, getAddress, type Hex, isAddress, isHex } from "viem";
import type { Effect } from "../effects.ts";
import type { Signature } from "../policy/decide.ts";
import { amountOf } from "./function.ts";

/** Typed data (EIP-712) as a caller sends it. */
export interface TypedData {
  domain: Record<string, unknown>;
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
}

/** The effects of signing typed data, with the facts that `judge` needs beside them. */
export interface DecodedTypedData {
  effects: Effect[];
  /** CAIP-2; null where the signature is bound to no chain. */
  network: string | null;
  signature: Extract<Signature, { kind: "typed_data" }>;
}

type Message = Record<string, unknown>;
type Spent = Pick<Effect, "type" | "asset" | "amount" | "recipient">;

const DETAILS = "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)";
const PERMISSIONS = "TokenPermissions(address token,uint256 amount)";

const AUTHORIZATION =
  /^(Transfer|Receive)WithAuthorization\(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce\)$/;

/** The types that are known to move assets, by their whole definition: a contract accepts no other under that name. */
const KNOWN: readonly [
  type: string | RegExp,
  read: (message: Message, contract: Address | null) => Spent[],
][] = [
  [
    "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)",
    ({ spender, value }, token) => [allowance(token, spender, integer(value), 256)],
  ],
  [
    "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)",
    ({ spender, allowed }, token) => [
      allowance(token, spender, allowed === false ? 0n : 2n ** 256n - 1n, 256),
    ],
  ],
  [
    AUTHORIZATION,
    ({ to, value }, token) => [
      { type: "transfer", asset: needed(token), amount: integer(value), recipient: addressed(to) },
    ],
  ],
  [
    "CancelAuthorization(address authorizer,bytes32 nonce)",
    // Nothing of that token: of one that is not listed, a policy with limits takes no zero for harmless.
    (_, token) => [{ type: "call", asset: needed(token), amount: 0n, recipient: null }],
  ],
  [
    `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`,
    permit2("details", 160),
  ],
  [
    `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`,
    permit2("details", 160),
  ],
  [
    `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
    permit2("permitted", 256),
  ],
  [
    `PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
    permit2("permitted", 256),
  ],
  // A witness only restricts the spender further.
  [
    /^Permit(Batch)?WitnessTransferFrom\(TokenPermissions(\[\])? permitted,address spender,uint256 nonce,uint256 deadline,.*TokenPermissions\(address token,uint256 amount\)/,
    permit2("permitted", 256),
  ],
];

/** Returns the effects of signing this typed data; `unknown` unless it is known to be harmless or to spend. */
export function decodeTypedData({ domain, types, primaryType, message }: TypedData): DecodedTypedData {
  const binds = (name: string) => types.EIP712Domain?.some((field) => field.name === name) ?? true;
  const contract = binds("verifyingContract") ? addressOrNull(domain.verifyingContract) : null;
  const chainId = binds("chainId") ? integerOrNull(domain.chainId) : null;
  const spent = spentBy(typeOf(primaryType, types), message, contract);
  const within = { contract, method: primaryType };
  const unknown: Effect = { type: "unknown", asset: null, amount: 0n, recipient: null, ...within };
  return {
    effects: spent?.length ? spent.map((each) => ({ ...each, ...within })) : [unknown],
    network: chainId === null ? null : `eip155:${chainId}`,
    signature: { kind: "typed_data", contract, primaryType },
  };
}

/** A transfer that is signed for any sender to submit (EIP-3009). */
export interface Authorization {
  token: Address;
  from: Address;
  amount: bigint;
  /** 32 bytes, which its token takes once. */
  nonce: Hex;
  /** In seconds since 1970. */
  validBefore: bigint;
}

/** The transfer that typed data authorizes; null where it is anything else. */
export function decodeAuthorization({
  domain,
  types,
  primaryType,
  message,
}: TypedData): Authorization | null {
  if (!AUTHORIZATION.test(typeOf(primaryType, types))) return null;
  const [token, from] = [addressOrNull(domain.verifyingContract), addressOrNull(message.from)];
  const [amount, validBefore] = [integerOrNull(message.value), integerOrNull(message.validBefore)];
  const { nonce } = message;
  if (token === null || from === null || amount === null || validBefore === null || !isHex(nonce))
    return null;
  return { token, from, amount, validBefore, nonce: `0x${nonce.slice(2).toLowerCase()}` };
}

/** Returns the spent assets; null if the type is unknown or the message does not match it; empty for permits of nothing. */
function spentBy(type: string, message: Message, contract: Address | null): Spent[] | null {
  const known = KNOWN.find(([wanted]) => (typeof wanted === "string" ? wanted === type : wanted.test(type)));
  try {
    return known ? known[1](message, contract) : null;
  } catch (reason) {
    if (reason instanceof Unreadable) return null;
    throw reason;
  }
}

function permit2(field: "details" | "permitted", bits: 160 | 256) {
  return (message: Message): Spent[] =>
    [message[field]].flat().map((part) => {
      const { token, amount }: Message = Object(part);
      return allowance(addressed(token), message.spender, integer(amount), bits);
    });
}

function allowance(token: Address | null, spender: unknown, amount: bigint, bits: 160 | 256): Spent {
  return {
    type: "allowance",
    asset: needed(token),
    recipient: addressed(spender),
    amount: amountOf(amount, bits),
  };
}

/** The whole type as EIP-712 encodes it: the primary one, then those that it names, by the alphabet. */
function typeOf(primaryType: string, types: TypedData["types"]): string {
  const named = new Set<string>();
  const open = [primaryType];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const fields = types[next];
    if (named.has(next) || !fields) continue;
    named.add(next);
    open.push(...fields.map(({ type }) => type.replace(/\[.*$/, "")));
  }
  named.delete(primaryType);
  return [primaryType, ...[...named].sort()]
    .map((name) => `${name}(${(types[name] ?? []).map((field) => `${field.type} ${field.name}`).join(",")})`)
    .join("");
}

/** A message does not match its type. */
class Unreadable extends Error {}

function needed(token: Address | null): Address {
  if (token === null) throw new Unreadable();
  return token;
}

function addressed(value: unknown): Address {
  return needed(addressOrNull(value));
}

function addressOrNull(value: unknown): Address | null {
  return typeof value === "string" && isAddress(value, { strict: false }) ? getAddress(value) : null;
}

function integer(value: unknown): bigint {
  const read = integerOrNull(value);
  if (read === null) throw new Unreadable();
  return read;
}

function integerOrNull(value: unknown): bigint | null {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  return typeof value === "string" && /^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value) ? BigInt(value) : null;
}
