import { and, asc, eq, gt, ne } from "drizzle-orm";
import type { Address } from "viem";
import type { Db } from "#db/client.ts";
import { wallets } from "#db/schema/wallets.ts";
import type { Vault } from "#server/providers/vault/vault.ts";
import { keyContext } from "./signer.ts";

const BATCH = 100;

/**
 * Wraps the keys of all wallets under the vault's current key, one after the other; none is opened. A run that broke off
 * goes on where it was; before a new one `begin` may change the vault's key, and gets the ids of those in use.
 */
export async function rotateKeys(
  db: Db,
  vault: Vault,
  begin: (inUse: readonly string[]) => void = () => undefined,
): Promise<number> {
  const used = await db.selectDistinct({ kekId: wallets.kekId }).from(wallets);
  const inUse = used.map(({ kekId }) => kekId);
  if (inUse.every((kekId) => kekId === vault.current())) begin(inUse);
  let rewrapped = 0;
  for (let after: Address = "0x"; ; ) {
    const rows = await db
      .select()
      .from(wallets)
      .where(and(gt(wallets.address, after), ne(wallets.kekId, vault.current())))
      .orderBy(asc(wallets.address))
      .limit(BATCH);
    for (const row of rows) rewrapped += await rewrap(db, vault, row);
    const last = rows.at(-1);
    if (!last) return rewrapped;
    after = last.address;
  }
}

/** Changes nothing where another run was quicker. */
async function rewrap(db: Db, vault: Vault, row: typeof wallets.$inferSelect): Promise<number> {
  const { accountId, id, kekId, sealedKey } = row;
  const context = keyContext(row);
  const anew = await vault.rewrap({ kekId, sealed: sealedKey }, context);
  const changed = await db
    .update(wallets)
    .set({ kekId: anew.kekId, sealedKey: anew.sealed })
    .where(and(eq(wallets.accountId, accountId), eq(wallets.id, id), eq(wallets.kekId, kekId)))
    .returning({ id: wallets.id });
  return changed.length;
}
