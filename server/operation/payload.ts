import { platform } from "#server/platform.ts";
import type { PrivacyTier } from "./caller.ts";
import { parseKeepingDigits } from "./json-text.ts";
import { openFor, sealFor } from "./seal.ts";

/** The resource that a payload belongs to. */
export interface PayloadOwner {
  id: string;
  privacyTier: PrivacyTier;
}

/** Returns the sealing context of a payload on the tier `strict`. */
export const payloadContext = (id: string, name: string): string => `${id}/${name}`;

/**
 * Returns a payload as stored: JSON, sealed on the tier `strict`. `name` distinguishes the owner's payloads.
 */
export function toStored(run: PayloadOwner, name: string, value: unknown): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(value ?? null));
  if (run.privacyTier !== "strict") return json;
  return sealFor(platform().settings.sealingKeys, payloadContext(run.id, name), json);
}

/** Returns the value that `toStored` stored under this name; null once it was purged. */
export function fromStored<Value = unknown>(
  run: PayloadOwner,
  name: string,
  stored: Uint8Array | null,
): Value {
  if (stored === null) return null as Value;
  const json =
    run.privacyTier === "strict"
      ? openFor(platform().settings.sealingKeys, payloadContext(run.id, name), stored)
      : stored;
  if (!json) throw new Error(`The ${name} of ${run.id} was sealed under another key (SEALING_KEY).`);
  return parseKeepingDigits<Value>(new TextDecoder().decode(json));
}
