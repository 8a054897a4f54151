import { parseArgs } from "node:util";
import { messageOf } from "#server/base/thrown.ts";
import { ArchiveFault, openArchive } from "../../databases/archive/read-archive.ts";
import { operatorFile } from "../operator-file.ts";

const usage = "Use npm run archive:verify -- FILE [--public-key BASE64], FILE being a downloaded archive.";

function faultOf(error: unknown): string {
  if (!(error instanceof ArchiveFault)) return messageOf(error);
  return `The archive is refused${error.entry ? ` for ${error.entry}` : ""}: ${error.message}`;
}

// Verifies an archive of a managed database offline. Without --public-key it prints the public key that it found:
// compare it with the download's X-Service-Archive-Public-Key.
try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { "public-key": { type: "string" } },
  });
  const [file, ...more] = positionals;
  if (!file || more.length > 0) throw new Error(usage);
  const trusted = values["public-key"] ? [values["public-key"]] : null;
  const bounds = { maximumBytes: Number.MAX_SAFE_INTEGER, trusted };
  const { manifest, close } = await openArchive(operatorFile(file), bounds);
  close();
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `The archive of ${manifest.createdAt} is intact: ${manifest.tables.length} tables, ${rows} rows, signed by ${manifest.publicKey}.`,
  );
} catch (error) {
  console.error(faultOf(error));
  process.exitCode = 1;
}
