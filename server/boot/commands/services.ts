import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { messageOf } from "#server/base/thrown.ts";
import { checkService, type Finding } from "../../services/check-service.ts";
import { readManifest } from "../../services/manifest.ts";
import { operatorFile } from "../operator-file.ts";

const usage = "Use npm run services -- check FILE, FILE being a manifest as SERVICES_FILE names it.";

const mark = ({ good }: Finding) => (good === null ? "–" : good ? "✓" : "✗");

try {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [command, file, ...more] = positionals;
  if (command !== "check" || !file || more.length > 0) throw new Error(usage);
  const manifest = readManifest(readFileSync(operatorFile(file), "utf8"));
  if ("faults" in manifest)
    throw new Error(
      `${file} is not a valid manifest:\n${manifest.faults.map((fault) => `✗ ${fault}`).join("\n")}`,
    );
  console.log(`✓ ${file} declares ${manifest.services.length} services.`);
  let faults = 0;
  for (const service of manifest.services) {
    console.log(`\n${service.id} at ${service.baseUrl}`);
    for await (const finding of checkService(service)) {
      const { operationId, text } = finding;
      if (finding.good === false) faults += 1;
      console.log(`  ${mark(finding)} ${operationId === null ? "" : `${operationId} `}${text}`);
    }
  }
  console.log(`\n${faults === 0 ? "No faults." : `Faults: ${faults}.`}`);
  if (faults > 0) process.exitCode = 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
