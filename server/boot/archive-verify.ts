import { parseArgs } from "node:util";
import { ArchiveFault, openArchive } from "../databases/archive/read-archive.ts";

// Checks an archive of a managed database offline. Without --public-key it says whose signature it found: compare it with the
// X-Service-Archive-Public-Key of the download.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { "public-key": { type: "string" } },
});
const [file] = positionals;
if (!file) {
  console.error("Usage: npm run archive:verify -- FILE [--public-key BASE64]");
  process.exit(2);
}
try {
  const trusted = values["public-key"] ? [values["public-key"]] : null;
  const { manifest, close } = await openArchive(file, { maximumBytes: Number.MAX_SAFE_INTEGER, trusted });
  close();
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `The archive of ${manifest.createdAt} is whole: ${manifest.tables.length} tables, ${rows} rows, signed by ${manifest.publicKey}.`,
  );
} catch (reason) {
  if (!(reason instanceof ArchiveFault)) throw reason;
  console.error(`The archive is refused${reason.entry ? ` for ${reason.entry}` : ""}: ${reason.message}`);
  process.exitCode = 1;
}
