import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { canonicalJson } from "#server/canonical-json.ts";
import { defined } from "#server/defined.ts";

/** A statement, signed in its RFC 8785 form; `purpose` keeps one kind from being taken for another. */
export type Statement = { purpose: string } & Record<string, string | number | null>;

export interface Signature {
  /** The Ed25519 signature of the statement, in base64. */
  signature: string;
  /** The 32 raw bytes of the public key, in base64. */
  publicKey: string;
}

/** The statement about a chain's head. */
export interface Head {
  accountId: string;
  sequence: number;
  hash: string;
  signedAt: string;
}

export function headStatement({ accountId, sequence, hash, signedAt }: Head): Statement {
  return { purpose: "audit-head/v1", accountId, sequence, hash, signedAt };
}

const bytesOf = (statement: Statement) => Buffer.from(canonicalJson(statement));

export function publicKeyOf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: "jwk" });
  return Buffer.from(defined(x), "base64url").toString("base64");
}

export function signStatement(key: KeyObject, statement: Statement): Signature {
  return {
    signature: sign(null, bytesOf(statement), key).toString("base64"),
    publicKey: publicKeyOf(key),
  };
}

/** True if the key with these 32 bytes signed the statement. */
export function isSigned(statement: Statement, { signature, publicKey }: Signature): boolean {
  try {
    const x = Buffer.from(publicKey, "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, bytesOf(statement), key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}
