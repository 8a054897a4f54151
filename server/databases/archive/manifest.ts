import { z } from "zod";

const Contents = z.object({
  createdAt: z.iso.datetime(),
  /** Base64 of the 32 raw bytes of the Ed25519 key that signed it. */
  publicKey: z.string(),
  tables: z.array(z.object({ name: z.string(), rows: z.int().min(0) })),
  /** Every entry but the manifest and its signature. */
  files: z.array(
    z.object({ path: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/), sizeBytes: z.int().min(0) }),
  ),
});

const lengths = z.array(z.int().min(1));

/** The manifest of an archive; `manifest.sig` signs its bytes. */
export const Manifest = z.discriminatedUnion("format", [
  Contents.extend({ format: z.literal("managed-database/1") }),
  Contents.extend({
    format: z.literal("managed-database/2"),
    /** The length in bytes of each statement of `schema.sql`: before the rows, and after. */
    statements: z.object({ before: lengths, after: lengths }),
  }),
]);

export type Manifest = z.output<typeof Manifest>;

export const MANIFEST = "manifest.json";
export const SIGNATURE = "manifest.sig";
export const SCHEMA = "schema.sql";
/** The catalogue's description of each object, a JSON object per line; not in archives of the first format. */
export const CATALOGUE = "catalogue.ndjson";
/** Stands, in archives of the first format, between the statements before the rows and those after. */
export const ROWS_HERE = "-- The rows of tables/*.ndjson are loaded here.";

/** The entry with a table's rows. */
export const tablePath = (name: string) => `tables/${encodeURIComponent(name)}.ndjson`;
