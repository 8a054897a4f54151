import type { SQL } from "drizzle-orm";
import type { PgColumn, PgTable, PgView } from "drizzle-orm/pg-core";
import type { IdKind } from "#server/base/ids.ts";
import type { Scope } from "#server/operation/scopes.ts";
import type { FOUND_KINDS } from "./schema.ts";

interface Columns {
  accountId: PgColumn;
  id: PgColumn;
  projectId: PgColumn | null;
  endUserId: PgColumn | null;
}

/** A table that is searched. */
export interface Source {
  kind: (typeof FOUND_KINDS)[number] & IdKind;
  /** The scope that the person needs; null if their role decides. */
  scope: Scope | null;
  /** True if only owners may see the rows. */
  forOwners?: boolean;
  table: PgTable | PgView;
  columns: Columns;
  /** The rows that a page shows; all if undefined. */
  only?: SQL;
  label: PgColumn | SQL;
  detail: PgColumn | SQL;
  parent?: { kind: IdKind; id: PgColumn | SQL };
  /** Columns with an index for any part of the text (`searchIndexes`). */
  indexed?: readonly PgColumn[];
  /** Columns that are searched in the newest rows only. */
  others?: readonly PgColumn[];
  /**
   * The rows that are found by any part of their id: all, by an index (`idPartsIndex`), or the newest, and older ones by
   * the end of their id (`idEndIndex`). Undefined for a table whose ids are found whole or by their beginning.
   */
  partsOf?: "all" | "newest";
  /** Hashes and addresses, any part of which is found in the same rows; by the same index, if there is one. */
  hex?: readonly PgColumn[];
}
