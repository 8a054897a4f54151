import type { Address, Hex, LocalAccount } from "viem";

/** The requirements of a payment (x402 v2, scheme `exact`). */
export interface Requirement {
  scheme: "exact";
  /** CAIP-2. */
  network: `${string}:${string}`;
  asset: Address;
  /** In the asset's smallest units. */
  amount: string;
  payTo: Address;
  maxTimeoutSeconds: number;
  /** The asset's EIP-712 domain. */
  extra: { name: string; version: string };
}

/** A transfer signed by its payer (EIP-3009). */
export interface SignedTransfer {
  signature: Hex;
  authorization: {
    from: Address;
    to: Address;
    value: string;
    /** Unix seconds. */
    validAfter: string;
    validBefore: string;
    nonce: Hex;
  };
}

/** A facilitator's result of a settlement. */
export interface Settlement {
  success: boolean;
  /** The transaction's hash; empty if none was sent. */
  transaction: string;
  errorReason?: string | undefined;
}

/** Verifies signed transfers and settles them on the chain. */
export interface Facilitator {
  /** The setting that names it. */
  setting: string;
  /** Returns whether the transfer could be made now. Rejects if that cannot be determined. */
  verify(
    transfer: SignedTransfer,
    requirement: Requirement,
  ): Promise<{ isValid: boolean; invalidReason?: string | undefined }>;
  /** Makes the transfer. If this rejects, or fails without a reason, it may have been made. */
  settle(transfer: SignedTransfer, requirement: Requirement): Promise<Settlement>;
  /** Throws if it does not answer; absent where it is part of this process. */
  check?(): Promise<void>;
}

/** How credits are bought. */
export interface PaymentSettings {
  /** Who is paid. */
  treasury: Address | null;
  /** The address of a facilitator, or the account from which the sandbox's own one sends. */
  facilitator: string | LocalAccount | null;
  /** How long a call waits for its payment to be settled, if not 10 seconds. */
  patienceMs?: number;
}

/** Returns the payload for facilitators: the payer's signature and authorization, and nothing else that they sent. */
export function payloadOf({ signature, authorization }: SignedTransfer, requirement: Requirement) {
  return { x402Version: 2, accepted: requirement, payload: { signature, authorization } };
}
