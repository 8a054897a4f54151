import { createHash } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { storageUsage } from "#db/schema/blobs.ts";
import { files } from "#db/schema/files.ts";
import { type Area, checkMadeOnce } from "../area.ts";
import type { Call } from "../client.ts";

const WANTS_BYTES = { accept: "application/octet-stream" };

/** Files are uploaded, read and deleted, up to the account's budget. */
export const uploads: Area = {
  name: "uploads",
  weight: 2,
  async start({ client, installation, createAccount, marker, report }) {
    const { accountId, key } = await createAccount();
    const uploaded: Call[] = [];
    const deletions: { call: Call; upload: Call }[] = [];
    const budget = installation.env.storage.filesBytes;

    /** Checks that the files which certainly exist are within the budget, and all reserved bytes. */
    async function checkBudget() {
      const deleted = new Set(deletions.map(({ upload }) => upload));
      const there = uploaded.filter((call) => call.outcome === "answered" && !deleted.has(call));
      const bytes = there.reduce((sum, { answer }) => sum + answer.file.sizeBytes, 0);
      if (bytes > budget) report(`The files of ${accountId} take ${bytes} bytes, of ${budget}.`);
      const { accountId: account, kind, usedBytes } = storageUsage;
      const reserved = await installation.database.db
        .select({ usedBytes })
        .from(storageUsage)
        .where(and(eq(account, accountId), eq(kind, "files"), gt(usedBytes, budget)))
        // The database may be stopped.
        .catch(() => []);
      for (const { usedBytes } of reserved)
        report(`The files of ${accountId} have reserved ${usedBytes} bytes, of ${budget}.`);
    }

    return {
      async call(random) {
        const what = random.fraction();
        const deleted = new Set(deletions.map(({ upload }) => upload));
        const known = uploaded.filter((call) => call.outcome === "answered" && !deleted.has(call));
        if (what < 0.4 || known.length === 0) {
          const name = marker("file");
          const bytes = new Uint8Array(Buffer.from(`${name}\n`.repeat(random.between(1, 4000))));
          const headers = { "content-type": "text/plain", "x-file-name": name };
          uploaded.push(
            await client.write(random, name, { method: "POST", path: "/v1/files", key, bytes, headers }),
          );
          await checkBudget();
          return;
        }
        const upload = random.pick(known);
        const path = `/v1/files/${upload.answer.file.id}`;
        if (what < 0.7) {
          const answer = await client.send({ method: "GET", path, key, headers: WANTS_BYTES }, random);
          const isWhole = answer?.status !== 200 || answer.body === String(Buffer.from(upload.bytes ?? []));
          if (!isWhole) report(`The file ${upload.marker} was answered with other bytes.`);
          return;
        }
        const deletion = { upload, call: upload };
        deletions.push(deletion);
        deletion.call = await client.write(random, marker("delete"), { method: "DELETE", path, key });
      },

      async check() {
        const rows = await installation.database.db
          .select()
          .from(files)
          .where(eq(files.accountId, accountId));
        const gone = new Set(
          deletions.filter(({ call }) => call.outcome === "answered").map(({ upload }) => upload),
        );
        const found = new Set(rows.map(({ id }) => id));
        const kept = [...gone].filter(({ answer }) => found.has(answer.file.id));
        const content = uploaded.filter((call) => call.outcome === "answered" && !gone.has(call));
        for (const { answer, bytes, marker: name } of content) {
          const sha256 = createHash("sha256")
            .update(bytes as Uint8Array)
            .digest("hex");
          if (answer.file.sha256 !== sha256) report(`The file ${name} was stored as ${answer.file.sha256}.`);
        }
        const made = rows.map(({ name, id }) => ({ marker: name, id }));
        return [
          ...checkMadeOnce(
            uploaded.filter((call) => !gone.has(call)),
            made,
            ({ answer }) => answer.file.id,
          ),
          ...kept.map(({ marker: name }) => `The file ${name} was deleted, and is there.`),
        ];
      },
    };
  },
};
