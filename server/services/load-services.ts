import { readFileSync } from "node:fs";
import { messageOf } from "#server/base/thrown.ts";
import { SettingsError } from "#server/env/settings-error.ts";
import { readManifest } from "./manifest.ts";
import { operatorServices } from "./operator-services.ts";
import type { ServiceDefinition } from "./service.ts";

/**
 * Loads the operator's services from the manifest at `SERVICES_FILE`; faults in it are reported as faults of the
 * settings.
 */
export function loadServices(file: string | undefined): ServiceDefinition[] {
  if (file === undefined) return [];
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new SettingsError([`SERVICES_FILE can't be read: ${messageOf(error)}.`]);
  }
  const manifest = readManifest(text);
  if ("faults" in manifest)
    throw new SettingsError(manifest.faults.map((fault) => `SERVICES_FILE ${file}: ${fault}`));
  return operatorServices(manifest.services);
}
