import type { SettleResponse, VerifyResponse } from "@x402/core/types";
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

/** Checks signed transfers, and has them made on the chain. */
export interface Facilitator {
  /** Which setting it stands or falls with. */
  setting: string;
  /** Whether the transfer could be made now. Rejects where that can't be told. */
  verify(transfer: SignedTransfer, requirement: Requirement): Promise<VerifyResponse>;
  /** Makes it. Where this rejects, or fails without saying why, it may have been made. */
  settle(transfer: SignedTransfer, requirement: Requirement): Promise<SettleResponse>;
}

/** How credits are bought. */
export interface PaymentSettings {
  /** Who is paid. */
  treasury: Address | null;
  /** The address of a facilitator, or the account that the sandbox's own one sends from. */
  facilitator: string | LocalAccount | null;
}

/** What facilitators take. The payer's own words but for the transfer are left out. */
export function payloadOf({ signature, authorization }: SignedTransfer, requirement: Requirement) {
  return { x402Version: 2, accepted: requirement, payload: { signature, authorization } };
}
