import { type Address, isAddressEqual, toFunctionSelector } from "viem";
import type { PolicyDecision } from "#server/quotes/schema.ts";
import { beyondDay } from "../caps.ts";
import type { Effect } from "../effects.ts";
import { type NetworkFees, networkFeeFaults } from "../network-fees.ts";
import { type Usd, usdOf, usdText, worthOf } from "../usd.ts";
import type { PolicyRules } from "./schema.ts";

/** A signature request that is not a transaction. */
export type Signature =
  | { kind: "message" }
  | { kind: "typed_data"; contract: Address | null; primaryType: string };

/** An asset that an effect spends; its price may be unknown. */
export interface PricedAsset {
  symbol: string;
  decimals: number;
  /** The higher of spot and average. */
  priceUsd: string | null;
}

/** All inputs of a decision. */
export interface DecisionInput {
  rules: PolicyRules;
  frozen: boolean;
  /** CAIP-2; null for a signature that is bound to no chain. */
  network: string | null;
  effects: readonly Effect[];
  signature?: Signature | undefined;
  assets(asset: Effect["asset"]): PricedAsset | null;
  /** The amount that other transactions of the day have spent or reserved. */
  usedUsd: string;
  /** The maximum network fee, if a transaction is sent. */
  fees?: NetworkFees | undefined;
  /** The spent value, if it is known; otherwise it is computed from the prices. */
  valueUsd?: string;
}

const SEND = "transfer(address,uint256)";

/** Judges effects by a policy. Deny wins; pure. */
export function decide(input: DecisionInput): PolicyDecision & { valueUsd: string | null } {
  const value = worth(input);
  const valueUsd = typeof value === "bigint" ? usdText(value) : null;
  const { rules, fees } = input;
  const overcharged = fees ? networkFeeFaults(rules, fees) : [];
  const denied = [...new Set([...boundaryFaults(input), ...limitFaults(input, value), ...overcharged])];
  if (denied.length > 0) return { decision: "deny", reasons: denied, valueUsd };
  const asked = approvalReasons(rules, value);
  return { decision: asked.length > 0 ? "approval" : "allow", reasons: asked, valueUsd };
}

/** Returns the total value of the effects; `unlimited`, or the assets without a price. */
function worth({ effects, assets, valueUsd }: DecisionInput): Usd | "unlimited" | { unpriced: string[] } {
  if (valueUsd !== undefined) return usdOf(valueUsd);
  let sum = 0n;
  const unpriced: string[] = [];
  for (const { asset, amount } of effects) {
    const priced = assets(asset);
    // For an unlisted contract, the amount 0 may be the id of an NFT.
    if (amount === 0n && (asset === null || priced)) continue;
    if (!priced?.priceUsd) unpriced.push(priced?.symbol ?? String(asset));
    else if (amount !== "unlimited") sum += worthOf(amount, priced.decimals, priced.priceUsd);
  }
  if (unpriced.length > 0) return { unpriced };
  return effects.some(({ amount }) => amount === "unlimited") ? "unlimited" : sum;
}

/** Yields the faults against the policy's lists, which apply at any amount. */
function* boundaryFaults({
  rules,
  frozen,
  network,
  effects,
  signature,
  assets,
}: DecisionInput): Generator<string> {
  if (frozen) yield "The wallet is frozen.";
  if (
    rules.allowedNetworks &&
    signature?.kind !== "message" &&
    !rules.allowedNetworks.includes(network ?? "")
  )
    yield `${network ?? "A message without a network"} is not among the allowed networks.`;
  // A signature that is bound to no chain is valid on every chain.
  if (network === null && rules.allowedNetworks && signature?.kind === "typed_data")
    yield "The typed data is bound to no network; only some are allowed.";
  if (signature?.kind === "message" && !rules.signatures.messages)
    yield "The policy lets no messages be signed.";
  if (signature?.kind === "typed_data" && !isAmong(rules.signatures.typedDataContracts, signature.contract))
    yield `Typed data of ${signature.contract ?? "no contract"} may not be signed.`;
  for (const effect of effects) {
    const { type, asset, recipient, contract, method } = effect;
    const moves = type === "transfer" || type === "allowance";
    if (moves && !isAmong(rules.allowedAssets, asset))
      yield `${assets(asset)?.symbol ?? asset} is not among the allowed assets.`;
    if (moves && !isAmong(rules.allowedRecipients, recipient))
      yield `${recipient} is not among the allowed recipients.`;
    const plainSend = type === "transfer" && contract === asset && method === SEND;
    if (!signature && contract && !plainSend && rules.allowedContracts && !isListed(rules, effect))
      yield `${method ?? "A call without a method"} of ${contract} is not among the allowed contracts and methods.`;
    if (type === "unknown" && isLimited(rules) && !isListed(rules, effect) && !isVouchedFor(rules, signature))
      yield `The effect of ${method ?? "the data"} of ${contract ?? "no contract"} can't be decoded, so that its limits can't be judged; list its contract and method to allow it.`;
  }
}

/** True if a rule of the policy depends on the amount or the recipient. */
export function isLimited({
  maxPerTransactionUsd,
  dailyLimitUsd,
  allowedRecipients,
  approval,
}: PolicyRules): boolean {
  return [maxPerTransactionUsd, dailyLimitUsd, allowedRecipients, approval.aboveUsd].some(
    (limit) => limit !== null,
  );
}

function isAmong(allowed: readonly string[] | null, one: string | null): boolean {
  return (
    allowed === null || (one !== null && allowed.some((entry) => entry.toLowerCase() === one.toLowerCase()))
  );
}

function isVouchedFor({ signatures }: PolicyRules, signature: Signature | undefined): boolean {
  return (
    signature?.kind === "typed_data" &&
    signatures.typedDataContracts !== null &&
    isAmong(signatures.typedDataContracts, signature.contract)
  );
}

/** True if the policy names the contract and the method of an effect. */
function isListed({ allowedContracts }: PolicyRules, { contract, method }: Effect): boolean {
  return (allowedContracts ?? []).some(
    ({ address, methods }) =>
      contract !== null &&
      isAddressEqual(address, contract) &&
      (methods === null || (method !== null && methods.some((listed) => isMethod(listed, method)))),
  );
}

/** True if a listed signature, name or selector matches this method, of which only the selector may be known. */
function isMethod(listed: string, method: string): boolean {
  if (listed === method || (!listed.includes("(") && method.startsWith(`${listed}(`))) return true;
  return selectorOf(listed) !== null && selectorOf(listed) === selectorOf(method);
}

function selectorOf(method: string): string | null {
  if (/^0x[0-9a-fA-F]{8}$/.test(method)) return method.toLowerCase();
  return method.includes("(") ? toFunctionSelector(`function ${method}`) : null;
}

/** True if people decide about assets without a price: the policy has no cap, and a threshold for approvals. */
function asksAboutUnpriced({ maxPerTransactionUsd, dailyLimitUsd, approval }: PolicyRules): boolean {
  return approval.aboveUsd !== null && maxPerTransactionUsd === null && dailyLimitUsd === null;
}

const unpricedText = ({ unpriced }: { unpriced: string[] }) =>
  `There is no price for ${unpriced.join(", ")} that can be relied on`;

/** Yields the faults against the policy's amounts. */
function* limitFaults({ rules, usedUsd }: DecisionInput, value: ReturnType<typeof worth>): Generator<string> {
  if (!isLimited(rules)) return;
  const { maxPerTransactionUsd, dailyLimitUsd } = rules;
  if (typeof value === "object") {
    if (asksAboutUnpriced(rules)) return;
    yield `${unpricedText(value)}, by which the policy's limits could be judged.`;
  } else if (value === "unlimited") {
    if (maxPerTransactionUsd !== null || dailyLimitUsd !== null)
      yield "An allowance of any amount exceeds every cap.";
  } else {
    if (maxPerTransactionUsd !== null && value > usdOf(maxPerTransactionUsd))
      yield `${usdText(value)} USD is more than the ${maxPerTransactionUsd} USD that one transaction may spend.`;
    if (dailyLimitUsd !== null && usdOf(usedUsd) + value > usdOf(dailyLimitUsd))
      yield beyondDay(usdText(value), usedUsd, dailyLimitUsd);
  }
}

function approvalReasons({ approval }: PolicyRules, value: ReturnType<typeof worth>): string[] {
  if (approval.always) return ["The policy has everything approved."];
  if (approval.aboveUsd === null) return [];
  if (value === "unlimited")
    return [`Any amount is more than ${approval.aboveUsd} USD, above which people decide.`];
  if (typeof value === "object") return [`${unpricedText(value)}: people decide.`];
  if (value <= usdOf(approval.aboveUsd)) return [];
  return [`${usdText(value)} USD is more than ${approval.aboveUsd} USD, above which people decide.`];
}
