import type postgres from "postgres";
import { defined } from "#server/base/defined.ts";
import type { Env } from "../../env/read-env.ts";
import { openFor } from "../../operation/seal.ts";
import { kmsKeyId } from "../../providers/vault/key-encryption.ts";
import { localKeyId } from "../../providers/vault/local-keys.ts";
import { Refusal } from "../refusal.ts";
import { type Row, SEALED, type SealedColumn, sealedValue } from "../sealed-columns.ts";

type Keys = Pick<Env, "sealingKeys" | "vault">;

/** Returns the newest value of a column under each key's number. */
function sealedValues(source: postgres.Sql, account: string, sealed: SealedColumn): Promise<Row[]> {
  const { table, column, key, beside = [], where = "true" } = sealed;
  const owned =
    table === "users"
      ? "t.id in (select m.user_id from members m where m.account_id = $1)"
      : "t.account_id = $1";
  const columns = [...key, ...beside, column].map((name) => `t.${name}`);
  const order = [`get_byte(t.${column}, 0)`, ...key.map((name) => `t.${name} desc`)];
  return source.unsafe<Row[]>(
    `select distinct on (${order[0]}) ${columns.join(", ")} from ${table} t
     where t.${column} is not null and ${where} and ${owned} order by ${order.join(", ")}`,
    [account],
  );
}

/** Refuses a move to a cell that could not open the account's secrets or use its wallets. */
export async function checkKeys(source: postgres.Sql, account: string, keys: Keys): Promise<void> {
  const lacking = new Set<number>();
  for (const sealed of SEALED)
    for (const row of await sealedValues(source, account, sealed)) {
      const value = sealedValue(row, sealed);
      if (!openFor(keys.sealingKeys, sealed.context(row), value)) lacking.add(defined(value[0]));
    }
  if (lacking.size > 0)
    throw new Refusal(
      `This cell's SEALING_KEY lacks the other cell's, numbered ${[...lacking].join(", ")}. Append them.`,
    );
  const wallets = await source<{ id: string }[]>`
    select distinct kek_id as id from wallets where account_id = ${account}`;
  const known = new Set([
    ...keys.vault.keys().map(localKeyId),
    keys.vault.kms && kmsKeyId(keys.vault.kms.key),
  ]);
  const unknown = wallets.filter(({ id }) => !known.has(id));
  if (unknown.length > 0)
    throw new Refusal(
      `This cell's vault lacks the keys ${unknown.map(({ id }) => id).join(", ")} of the account's wallets. Append them to VAULT_KEYS.`,
    );
}
