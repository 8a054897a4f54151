import { readFileSync } from "node:fs";
import { defined } from "#server/base/defined.ts";
import { type OperatorService, readManifest } from "#server/services/manifest.ts";

/** The example's manifest file. */
export const EXAMPLE_MANIFEST = new URL("./example-service/services.json", import.meta.url);

/** Returns the example's service as an operator declares it, with these changes. */
export function declaredExample(changes: Partial<OperatorService>): OperatorService {
  const manifest = JSON.parse(readFileSync(EXAMPLE_MANIFEST, "utf8"));
  const read = readManifest(JSON.stringify({ services: [{ ...manifest.services[0], ...changes }] }));
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  return defined(read.services[0]);
}
