import { type Address, type Hex, parseUnits, toHex } from "viem";
import { random } from "#server/base/ids.ts";
import type { TestChain } from "./chain.ts";
import { RECIPIENT } from "./transactions.ts";

/** A transfer of test USD that its owner signs and anybody may execute. */
export interface SignedTransfer {
  value: bigint;
  nonce: Hex;
  validBefore: number;
}

interface Signer {
  address: Address;
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
const fields = (text: string) =>
  text.split(",").map((field) => {
    const [type, name] = field.split(" ");
    return { type, name };
  });

/** Returns the typed data that owners of test USD sign on this chain. */
export function signedMessages(chain: TestChain) {
  const { chainId, contracts } = chain.settings;
  const domain = { name: "Sandbox USD", version: "1", chainId, verifyingContract: contracts.usd };
  const transferOf = (amount: string, more: Partial<SignedTransfer> = {}): SignedTransfer => ({
    value: parseUnits(amount, 6),
    nonce: toHex(random(32)),
    validBefore: inAnHour(),
    ...more,
  });
  const authorization = ({ address }: Signer, { value, nonce, validBefore }: SignedTransfer) => ({
    domain,
    types: {
      TransferWithAuthorization: fields(
        "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce",
      ),
    },
    primaryType: "TransferWithAuthorization",
    message: { from: address, to: RECIPIENT, value: String(value), validAfter: 0, validBefore, nonce },
  });
  const cancellation = ({ address }: Signer, { nonce }: SignedTransfer) => ({
    domain,
    types: { CancelAuthorization: fields("address authorizer,bytes32 nonce") },
    primaryType: "CancelAuthorization",
    message: { authorizer: address, nonce },
  });
  const permit = ({ address }: Signer, value: bigint) => ({
    domain,
    types: {
      Permit: fields("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"),
    },
    primaryType: "Permit",
    message: { owner: address, spender: RECIPIENT, value: String(value), nonce: 0, deadline: inAnHour() },
  });
  return { transferOf, authorization, cancellation, permit };
}
