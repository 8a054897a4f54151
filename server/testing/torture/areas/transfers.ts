import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { databaseTransfers } from "#db/schema/databases.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

const ROWS = 500;
const UNDER_WAY = ["building", "validating", "applying"];

interface Archive {
  sha256: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A database is exported, and its archive compared with it: each export is complete, whichever process dies meanwhile.
 */
export const transfers: Area = {
  name: "transfers",
  weight: 0.3,
  async start({ client, installation, createAccount, marker, report }) {
    const { accountId, key } = await createAccount();
    const { db } = installation.database;
    const post = (path: string, body: unknown) =>
      client.must({ method: "POST", path, key, body, headers: { "idempotency-key": marker("prepare") } });
    await post("/v1/databases/account", {});
    await post("/v1/databases/actions", {
      actions: [
        { type: "sql", sql: "create table kept (id int primary key, content text)" },
        { type: "sql", sql: `insert into kept select n, repeat('x', n) from generate_series(1, ${ROWS}) n` },
      ],
    });
    const created: Call[] = [];
    const rowsOf = () =>
      db.select().from(databaseTransfers).where(eq(databaseTransfers.accountId, accountId));

    /** Downloads and parses a completed archive; null without a response. */
    async function download(id: string, sha256: string): Promise<Archive | null> {
      const origin = installation.webs.map(({ origin }) => origin).find((one) => one !== null);
      const bytes = await fetch(`${origin}/v1/databases/transfers/${id}/archive`, {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(5000),
      })
        .then(async (response) => (response.ok ? new Uint8Array(await response.arrayBuffer()) : null))
        .catch(() => null);
      if (!bytes) return null;
      const found = createHash("sha256").update(bytes).digest("hex");
      if (found !== sha256) report(`The archive of ${id} came with the sum ${found}, not ${sha256}.`);
      return { sha256, bytes };
    }

    return {
      async call(random) {
        const ready = (await rowsOf().catch(() => [])).find(({ status }) => status === "ready");
        const name = marker("transfer");
        const request = { method: "POST", path: "/v1/databases/transfers", key } as const;
        if (!ready?.archive || random.chance(0.4)) {
          created.push(await client.write(random, name, { ...request, body: { direction: "export" } }));
          return;
        }
        const archive = await download(ready.id, ready.archive.sha256);
        if (!archive) return;
        const body = { direction: "import", dryRun: true };
        const begun = await client.write(random, name, { ...request, body });
        created.push(begun);
        if (begun.outcome !== "answered") return;
        const path = `/v1/databases/transfers/${begun.answer.transfer.id}`;
        const part = await client.write(random, `${name}-part`, {
          method: "PUT",
          path: `${path}/parts/1`,
          key,
          bytes: archive.bytes,
          headers: { "content-type": "application/zip" },
        });
        if (part.outcome !== "answered") return;
        const parts = [{ partNumber: 1, sha256: archive.sha256 }];
        await client.write(random, `${name}-complete`, {
          method: "POST",
          path: `${path}/complete`,
          key,
          body: { parts },
        });
      },

      async pending() {
        const open = (await rowsOf()).filter(({ status }) => UNDER_WAY.includes(status));
        return open.length === 0
          ? null
          : `${open.length} transfers have not ended; ${open[0]?.id} is ${open[0]?.status}.`;
      },

      async check() {
        const rows = await rowsOf();
        const markers = new Map(created.map((call) => [call.answer?.transfer.id, call.marker]));
        const made = rows.map(({ id }) => ({ marker: markers.get(id) ?? id, id }));
        const failed = rows.filter(({ status }) => status === "failed");
        const compared = rows.filter(({ status }) => status === "completed");
        const wrong = compared.filter(({ difference }) => {
          const { tables } = difference as { tables: { archiveRows: number; databaseRows: number }[] };
          return tables.some((one) => one.archiveRows !== ROWS || one.databaseRows !== ROWS);
        });
        return [
          ...checkMadeOnce(created, made, ({ answer }) => answer.transfer.id),
          ...failed.map(({ id, error }) => `The transfer ${id} has failed: ${JSON.stringify(error)}.`),
          ...wrong.map(({ id, difference }) => `The transfer ${id} found ${JSON.stringify(difference)}.`),
        ];
      },
    };
  },
};
