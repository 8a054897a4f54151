import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { messageOf } from "#server/base/thrown.ts";
import { verifyExport } from "../../audit/verify-export.ts";
import { operatorFile } from "../operator-file.ts";

const usage =
  "Use npm run audit:verify -- FILE [--public-key BASE64], FILE being the output of audit:export.";

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "public-key": { type: "string", multiple: true } },
  });
  const [file, ...more] = positionals;
  if (!file || more.length > 0) throw new Error(usage);
  const lines = createInterface({
    input: createReadStream(operatorFile(file)),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const found = await verifyExport(lines, values["public-key"]);
  console.log(`${found.events} events of ${found.accountId}, sequences ${found.first} to ${found.last}: complete and unchanged.
${found.signedHeads} signed heads; signed by ${found.publicKeys.join(", ")}. ${found.erased} personal fields have been erased.`);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
