import { parseArgs } from "node:util";
import { openDatabase } from "#db/client.ts";
import { moveOldMonths } from "#server/audit/archive/move-old-months.ts";
import { Secrets } from "#server/env/secrets.ts";
import type { BlobStore } from "#server/providers/blobs/blob-store.ts";
import { openBlobStore } from "#server/providers/blobs/open-blob-store.ts";

// Archives old months of audit events as a separate process: `node archive-audit.ts DATABASE_URL BLOBS KEY [--kill
// put|read|kept]`. It kills itself before it writes its second archive, before it reads the first back, or once that is
// read.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { kill: { type: "string" } },
});
const [url = "", folder = "", key = ""] = positionals;
const store = openBlobStore({ folder });
let puts = 0;

async function killAt(moment: string): Promise<void> {
  if (values.kill !== moment) return;
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => undefined);
}

const blobs: BlobStore = {
  ...store,
  async put(blobKey, content) {
    puts += 1;
    if (puts === 2) await killAt("put");
    return store.put(blobKey, content);
  },
  async read(blobKey, range) {
    await killAt("read");
    const content = await new Response(await store.read(blobKey, range)).bytes();
    await killAt("kept");
    return new Blob([content]).stream();
  },
};
const database = openDatabase(url, { handlers: 1, deadline: null });
const archiving = { db: database.db, blobs, key: Secrets.shape.AUDIT_SIGNING_KEY.parse(key) };
console.log(JSON.stringify(await moveOldMonths(archiving, 1)));
await database.close();
