import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";

/** What an archive says of itself; `manifest.sig` signs its bytes. */
export const Manifest = z.object({
  format: z.literal("managed-database/1"),
  createdAt: z.iso.datetime(),
  /** Base64 of the 32 raw bytes of the Ed25519 key that signed it. */
  publicKey: z.string(),
  tables: z.array(z.object({ name: z.string(), rows: z.int().min(0) })),
  /** Every entry but the manifest and its signature. */
  files: z.array(
    z.object({ path: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/), sizeBytes: z.int().min(0) }),
  ),
});

export type Manifest = z.output<typeof Manifest>;

export const MANIFEST = "manifest.json";
export const SIGNATURE = "manifest.sig";
export const SCHEMA = "schema.sql";
/** Stands in `schema.sql` between what rows need and what is quicker, or only right, after them. */
export const ROWS_HERE = "-- The rows of tables/*.ndjson are loaded here.";

/** The entry with a table's rows. */
export const tablePath = (name: string) => `tables/${encodeURIComponent(name)}.ndjson`;

// What stands before the 32 bytes of a raw Ed25519 key in its SPKI form.
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

/** The raw public key (base64) that belongs to a signing key. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
}

export function signManifest(bytes: Uint8Array, key: KeyObject): string {
  return sign(null, bytes, key).toString("base64");
}

/** Whether the key with this raw form (base64) signed these bytes. */
export function isSigned(bytes: Uint8Array, signature: string, publicKey: string): boolean {
  const raw = Buffer.from(publicKey, "base64");
  if (raw.length !== 32) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: "der", type: "spki" });
  return verify(null, bytes, key, Buffer.from(signature, "base64"));
}
