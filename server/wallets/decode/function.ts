import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  type AbiStateMutability,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeFunctionData,
  type Hex,
  toFunctionSelector,
  toFunctionSignature,
} from "viem";
import type { Call, Effect } from "../effects.ts";

/** A decoded call of any function of an ABI, told apart by its name. */
export type Decoded<abi extends Abi = Abi> = {
  [Name in ContractFunctionName<abi>]: {
    name: Name;
    args: ContractFunctionArgs<abi, AbiStateMutability, Name>;
    inputs: readonly AbiParameter[];
    /** Its signature: `transfer(address,uint256)`. */
    method: string;
  };
}[ContractFunctionName<abi>];

/** The functions of each ABI by their selectors: hashing them for every call would cost more than all the rest. */
const known = new WeakMap<Abi, ReadonlyMap<string, AbiFunction>>();

function functionsOf(abi: Abi): ReadonlyMap<string, AbiFunction> {
  const functions =
    known.get(abi) ??
    new Map(abi.flatMap((item) => (item.type === "function" ? [[toFunctionSelector(item), item]] : [])));
  known.set(abi, functions);
  return functions;
}

/** Decodes calldata by an ABI that has its function; null where it has not, or where the calldata is malformed. */
export function decodeWith<const abi extends Abi>(abi: abi, data: Hex): Decoded<abi> | null {
  const item = functionsOf(abi).get(data.slice(0, 10).toLowerCase());
  if (!item) return null;
  try {
    const { args = [] } = decodeFunctionData({ abi: [item], data });
    const { name, inputs } = item;
    // By its selector the function is of the ABI.
    return { name, inputs, args, method: toFunctionSignature(item) } as unknown as Decoded<abi>;
  } catch {
    return null;
  }
}

/** Returns an allowance's amount; one that takes more than half of its bits is unlimited by convention. */
export function amountOf(amount: bigint, bits: 160 | 256): Effect["amount"] {
  return amount >= 1n << BigInt(bits - 1) ? "unlimited" : amount;
}

/** Returns the effect of a call that moves nothing of the wallet's. */
export function nothing(contract: Address, method: string): Effect {
  return { type: "call", asset: null, amount: 0n, recipient: null, contract, method };
}

/** Returns the effect of a call of which only the selector is known. */
export function undecoded(contract: Address, data: Hex): Effect {
  const method = data.length >= 10 ? data.slice(0, 10).toLowerCase() : null;
  return { type: "unknown", asset: null, amount: 0n, recipient: null, contract, method };
}

/** Returns the effect of the native asset that a call sends along. */
export function nativeTransfer({ to, value }: Pick<Call, "to" | "value">): Effect {
  return { type: "transfer", asset: "native", amount: value, recipient: to, contract: null, method: null };
}
