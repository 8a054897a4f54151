import { once } from "node:events";
import { parseArgs } from "node:util";
import { withSearchPathOf } from "#db/search-path.ts";
import { messageOf } from "#server/base/thrown.ts";
import { exportAudit } from "../../audit/export-audit.ts";
import { sentInstant } from "../../operation/fields.ts";
import { openReplica } from "../../operation/replica.ts";
import { openBlobStore } from "../../providers/blobs/open-blob-store.ts";
import { accountIdOf } from "../account-id.ts";
import { Refusal, sayFailure } from "../refusal.ts";
import { withDatabase } from "../with-database.ts";

const usage =
  "Use npm run --silent audit:export -- --account A [--from T] [--to T], moments in ISO 8601 UTC.";

function momentOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const moment = sentInstant.safeParse(text);
  if (!moment.success) throw new Refusal(`--${name} ${text}: ${moment.error.issues[0]?.message}`);
  return moment.data;
}

function read(args: string[]) {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({ args, options: { account: text, from: text, to: text } });
    const { account, from, to } = values;
    if (account === undefined) throw new Refusal(usage);
    const accountId = accountIdOf(account);
    if (!accountId) throw new Refusal(`--account ${account} is no account's id.\n${usage}`);
    return { accountId, from: momentOf("from", from), to: momentOf("to", to) };
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`${messageOf(error)}\n${usage}`);
  }
}

try {
  const request = read(process.argv.slice(2));
  await withDatabase(async (database, { replicaUrl, auditSigningKey, blobs }, url) => {
    const replica =
      replicaUrl === undefined ? null : openReplica(withSearchPathOf(replicaUrl, url), database);
    try {
      for await (const line of exportAudit(database, auditSigningKey, request, {
        replica,
        blobs: openBlobStore(blobs),
      })) {
        if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, "drain");
      }
    } finally {
      await replica?.close();
    }
  });
} catch (error) {
  sayFailure(error);
}
