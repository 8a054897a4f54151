import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { defined } from "./defined.ts";

/** Returns the 32 raw bytes of the public key of a signing key, in base64. */
export function publicKeyOf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: "jwk" });
  return Buffer.from(defined(x), "base64url").toString("base64");
}

/** Returns the Ed25519 signature of these bytes, in base64. */
export function signBytes(bytes: Uint8Array, key: KeyObject): string {
  return sign(null, bytes, key).toString("base64");
}

/** True if the key with this raw form (base64) signed these bytes. */
export function isSigned(bytes: Uint8Array, signature: string, publicKey: string): boolean {
  try {
    const x = Buffer.from(publicKey, "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, bytes, key, Buffer.from(signature, "base64"));
  } catch {
    // It is no key of this kind.
    return false;
  }
}
