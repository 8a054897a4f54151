import { maxUint256 } from "viem";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { ADA, allowance, ME, transfer, USD, WETH } from "#server/testing/contract-calls.ts";
import { decodeTypedData } from "./typed-data.ts";

const domain = { name: "Test USD", version: "1", chainId: 31337, verifyingContract: USD };
const fields = (text: string) =>
  text
    .split(",")
    .map((field) => ({ type: defined(field.split(" ")[0]), name: defined(field.split(" ")[1]) }));
const details = fields("address token,uint160 amount,uint48 expiration,uint48 nonce");
const permissions = fields("address token,uint256 amount");

// biome-ignore format: a table
const TYPED: [name: string, primaryType: string, types: Record<string, ReturnType<typeof fields>>, message: Record<string, unknown>, effects: object[]][] = [
  ["permit (EIP-2612)", "Permit", { Permit: fields("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline") },
    { owner: ME, spender: ADA, value: "5", nonce: 0, deadline: 1 }, [allowance(USD, 5n, ADA)]],
  ["permit of everything", "Permit", { Permit: fields("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline") },
    { owner: ME, spender: ADA, value: String(maxUint256), nonce: 0, deadline: 1 }, [allowance(USD, "unlimited", ADA)]],
  ["permit in DAI's form", "Permit", { Permit: fields("address holder,address spender,uint256 nonce,uint256 expiry,bool allowed") },
    { holder: ME, spender: ADA, nonce: 0, expiry: 1, allowed: true }, [allowance(USD, "unlimited", ADA)]],
  ["TransferWithAuthorization (EIP-3009)", "TransferWithAuthorization", { TransferWithAuthorization: fields("address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce") },
    { from: ME, to: ADA, value: "0x5", validAfter: 0, validBefore: 1, nonce: "0x00" }, [transfer(USD, 5n, ADA)]],
  ["PermitBatch (Permit2)", "PermitBatch", { PermitBatch: fields("PermitDetails[] details,address spender,uint256 sigDeadline"), PermitDetails: details },
    { details: [{ token: USD, amount: "5" }, { token: WETH, amount: "6" }], spender: ADA, sigDeadline: 1 }, [allowance(USD, 5n, ADA), allowance(WETH, 6n, ADA)]],
  ["PermitTransferFrom (Permit2)", "PermitTransferFrom", { PermitTransferFrom: fields("TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline"), TokenPermissions: permissions },
    { permitted: { token: USD, amount: "5" }, spender: ADA, nonce: 0, deadline: 1 }, [allowance(USD, 5n, ADA)]],
  ["PermitWitnessTransferFrom (Permit2)", "PermitWitnessTransferFrom", { PermitWitnessTransferFrom: fields("TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness"), Order: fields("uint256 id"), TokenPermissions: permissions },
    { permitted: { token: USD, amount: "5" }, spender: ADA, nonce: 0, deadline: 1, witness: { id: 1 } }, [allowance(USD, 5n, ADA)]],
  ["CancelAuthorization", "CancelAuthorization", { CancelAuthorization: fields("address authorizer,bytes32 nonce") },
    { authorizer: ME, nonce: "0x00" }, [{ type: "call", asset: USD, amount: 0n }]],
  ["an order of a market", "OrderComponents", { OrderComponents: fields("address offerer,uint256 counter") },
    { offerer: ME, counter: 1 }, [{ type: "unknown" }]],
  ["a permit whose type is not the standard's", "Permit", { Permit: fields("address owner,address spender,uint256 value") },
    { owner: ME, spender: ADA, value: "5" }, [{ type: "unknown" }]],
  ["a permit whose amount can't be read", "Permit", { Permit: fields("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline") },
    { owner: ME, spender: ADA, value: "five", nonce: 0, deadline: 1 }, [{ type: "unknown" }]],
];

test.for(TYPED)("decodes typed data: %s", ([_, primaryType, types, message, effects]) => {
  const decoded = decodeTypedData({ domain, types, primaryType, message });
  expect(decoded).toMatchObject({
    network: "eip155:31337",
    signature: { kind: "typed_data", contract: USD, primaryType },
  });
  expect(decoded.effects).toMatchObject(effects);
});

test("ignores a contract that the domain's type does not declare", () => {
  const types = { EIP712Domain: fields("string name"), Mail: fields("string text") };
  const decoded = decodeTypedData({ domain, types, primaryType: "Mail", message: { text: "Hi" } });
  expect(decoded).toMatchObject({ network: null, signature: { contract: null } });
});
