import { decodePaymentRequiredHeader } from "@x402/core/http";
import { type Address, type Hex, type LocalAccount, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { defined } from "#server/base/defined.ts";
import { random } from "#server/base/ids.ts";
import type { Settings } from "#server/platform.ts";
import { type Answered, type startApi, unique } from "./api.ts";
import type { TestChain } from "./chain.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Returns a platform's settings for buying credits on this chain, settled by the platform itself. */
export async function paidOn(chain: TestChain): Promise<Partial<Settings>> {
  const { facilitator, treasury } = chain.accounts;
  await chain.fund(facilitator.address, { eth: "10" });
  return { chains: [chain.settings], payments: { treasury: treasury.address, facilitator } };
}

/** Creates an address with test USD that has never sent a transaction. */
export async function createPayer(chain: TestChain, usd = "1000"): Promise<LocalAccount> {
  const payer = privateKeyToAccount(generatePrivateKey());
  await chain.fund(payer.address, { usd });
  return payer;
}

/** Returns an address's balance of test USD, in smallest units. */
export const usdOf = (chain: TestChain, address: Address): Promise<bigint> =>
  chain.client.readContract({
    address: chain.settings.contracts.usd,
    functionName: "balanceOf",
    args: [address],
    abi: [
      {
        type: "function",
        name: "balanceOf",
        stateMutability: "view",
        inputs: [{ name: "account", type: "address" }],
        outputs: [{ name: "", type: "uint256" }],
      },
    ],
  });

interface TopUp {
  key: string;
  amountUsd?: number;
  idempotencyKey?: string;
  /** The value of `Payment-Signature`. */
  payment?: string;
  /** The value of `X-PAYMENT`. */
  legacy?: string;
}

/** Sends a top-up, with or without a payment. */
export function topUp(api: Api, call: TopUp): Promise<Answered> {
  const { key, amountUsd = 25, idempotencyKey = unique("top-up"), payment, legacy } = call;
  return api.send("POST", "/v1/credits/x402/top-up", {
    key,
    idempotencyKey,
    body: { amountUsd },
    headers: { ...(payment && { "payment-signature": payment }), ...(legacy && { "x-payment": legacy }) },
  });
}

const TYPES = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

/** An authorization to transfer test USD, as its payer signs it. */
export interface Authorization {
  from: Address;
  to: Address;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: Hex;
}

/** Signs a transfer of test USD (EIP-3009). */
export async function signTransfer(
  chain: TestChain,
  payer: LocalAccount,
  transfer: { to: Address; value: string; nonce?: Hex; validBefore?: number },
): Promise<{ signature: Hex; authorization: Authorization }> {
  const now = Math.floor(Date.now() / 1000);
  const { to, value, nonce = toHex(random(32)), validBefore = now + 120 } = transfer;
  const authorization = {
    from: payer.address,
    to,
    value,
    nonce,
    validAfter: String(now - 600),
    validBefore: String(validBefore),
  };
  const { chainId, contracts } = chain.settings;
  const signature = await payer.signTypedData({
    domain: { name: "Sandbox USD", version: "1", chainId, verifyingContract: contracts.usd },
    types: TYPES,
    primaryType: "TransferWithAuthorization",
    message: {
      ...authorization,
      value: BigInt(value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(validBefore),
    },
  });
  return { signature, authorization };
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

/** Returns the offer in the 402 response's header. */
export function askedIn(answer: Answered) {
  const asked = decodePaymentRequiredHeader(answer.headers.get("payment-required") ?? "");
  return { ...asked, requirement: defined(asked.accepts[0]) };
}

/** Requests an offer for 25 USD and signs exactly that; returns the value of `Payment-Signature` and its parts. */
export async function signPayment(
  api: Api,
  chain: TestChain,
  { key, payer, ...options }: { key: string; payer: LocalAccount; nonce?: Hex; validBefore?: number },
) {
  const { requirement } = askedIn(await topUp(api, { key }));
  const { payTo, amount } = requirement;
  const payload = await signTransfer(chain, payer, { to: payTo as Address, value: amount, ...options });
  const payment = encoded({ x402Version: 2, accepted: requirement, payload });
  return { payment, requirement, payload, encoded };
}
