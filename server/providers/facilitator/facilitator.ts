import type { Address, Hex, LocalAccount } from "viem";

/** What a payment must be (x402 v2, scheme `exact`). */
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

/** A transfer that its payer has signed (EIP-3009). */
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

/** What a facilitator says of a transfer that it was to make. */
export interface Settlement {
  success: boolean;
  /** Its hash; empty where none was sent. */
  transaction: string;
  errorReason?: string | undefined;
}

/** Checks signed transfers, and has them made on the chain. */
export interface Facilitator {
  /** Which setting it stands or falls with. */
  setting: string;
  /** Whether the transfer could be made now. Rejects where that can't be known. */
  verify(
    transfer: SignedTransfer,
    requirement: Requirement,
  ): Promise<{ isValid: boolean; invalidReason?: string | undefined }>;
  /** Makes it. Where this rejects, or fails without saying why, it may have been made. */
  settle(transfer: SignedTransfer, requirement: Requirement): Promise<Settlement>;
}

/** How credits are bought. */
export interface PaymentSettings {
  /** Who is paid. */
  treasury: Address | null;
  /** The address of a facilitator, or the account that the sandbox's own one sends from. */
  facilitator: string | LocalAccount | null;
  /** How long a call waits for its payment to be settled, if not 10 seconds. */
  patienceMs?: number;
}

/** What facilitators take. The payer's own words but for the transfer are left out. */
export function payloadOf({ signature, authorization }: SignedTransfer, requirement: Requirement) {
  return { x402Version: 2, accepted: requirement, payload: { signature, authorization } };
}
