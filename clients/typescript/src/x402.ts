import { type Payment, type PaymentRequired, sleep } from "./client.ts";
import { PlatformError } from "./errors.ts";
import type { Platform } from "./platform.ts";

/** Typed data of EIP-712, as wallets sign it. */
interface TypedData {
  domain: { name: string; version: string; chainId: number; verifyingContract: `0x${string}` };
  types: { TransferWithAuthorization: { name: string; type: string }[] };
  primaryType: "TransferWithAuthorization";
  message: Record<string, unknown>;
}

/** A signer of typed data, such as an account of viem. */
export interface Payer {
  readonly address: `0x${string}`;
  // A method, so that viem's narrower parameter fits.
  signTypedData(data: never): Promise<string>;
}

export interface Spending {
  /** The maximum of a payment; larger ones are not signed. */
  maxUsd: number;
  /** The decimals of the payment's token, one of which counts as a dollar. */
  decimals?: number;
}

const FIELDS = {
  from: "address",
  to: "address",
  value: "uint256",
  validAfter: "uint256",
  validBefore: "uint256",
  nonce: "bytes32",
};

/** Pays for credits from an account: `new Platform({ payment: payWith(account, { maxUsd: 25 }) })`. */
export function payWith(account: Payer, spending: Spending): Payment {
  return (asked) => pay(asked, spending, account.address, (data) => account.signTypedData(data as never));
}

/** Pays for credits from a managed wallet, within its policy; waits while people approve the signature. */
export function payFromWallet(
  platform: Pick<Platform, "wallets">,
  walletId: string,
  { approvalMs = 300_000, ...spending }: Spending & { approvalMs?: number },
): Payment {
  return async (asked) => {
    const { address } = await platform.wallets.read(walletId);
    return pay(asked, spending, address as `0x${string}`, async (typedData) => {
      const quote = await platform.wallets.signatures.quote(walletId, {
        kind: "typed_data",
        typedData: typedData as never,
      });
      const idempotencyKey = `sdk_${crypto.randomUUID()}`;
      for (const ends = Date.now() + approvalMs; ; await sleep(1000)) {
        const made = await platform.wallets.signatures.create(
          walletId,
          { quoteId: quote.id },
          { idempotencyKey },
        );
        if (made.signature !== null) return made.signature;
        if (made.status !== "awaiting_approval" || Date.now() > ends)
          throw new PlatformError(`The wallet's signature ${made.id} of the payment is ${made.status}.`);
      }
    });
  };
}

/** Signs an exact payment (EIP-3009); returns the header's value. */
async function pay(
  { accepts, resource }: PaymentRequired,
  { maxUsd, decimals = 6 }: Spending,
  from: `0x${string}`,
  sign: (data: TypedData) => Promise<string>,
): Promise<string> {
  const accepted = accepts.find(({ scheme, network }) => scheme === "exact" && network.startsWith("eip155:"));
  if (!accepted) throw new PlatformError("The platform asks for no payment that can be signed here.");
  const usd = Number(accepted.amount) / 10 ** decimals;
  if (!(usd <= maxUsd)) throw new PlatformError(`The platform asks for ${usd} USD; maxUsd is ${maxUsd}.`);
  const now = Math.floor(Date.now() / 1000);
  const nonce = crypto.getRandomValues(new Uint8Array(32));
  const authorization = {
    from,
    to: accepted.payTo,
    value: accepted.amount,
    // Tolerates differences between clocks.
    validAfter: String(now - 600),
    validBefore: String(now + accepted.maxTimeoutSeconds),
    nonce: `0x${[...nonce].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`,
  };
  const signature = await sign({
    domain: {
      ...accepted.extra,
      chainId: Number(accepted.network.split(":")[1]),
      verifyingContract: accepted.asset as `0x${string}`,
    },
    types: { TransferWithAuthorization: Object.entries(FIELDS).map(([name, type]) => ({ name, type })) },
    primaryType: "TransferWithAuthorization",
    message: authorization,
  });
  return btoa(JSON.stringify({ x402Version: 2, resource, accepted, payload: { signature, authorization } }));
}
