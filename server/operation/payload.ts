import { platform } from "#server/platform.ts";
import type { PrivacyTier } from "./caller.ts";
import { parseKeepingDigits } from "./json-text.ts";
import { openFor, sealFor } from "./seal.ts";

/** Whose payload it is. */
export interface PayloadOwner {
  id: string;
  privacyTier: PrivacyTier;
}

/** What a payload of the tier `strict` is sealed for. */
export const payloadContext = (id: string, name: string): string => `${id}/${name}`;

/** A payload as it is stored: JSON, sealed on the tier `strict`. `name` says which one of its owner's it is. */
export function toStored(run: PayloadOwner, name: string, value: unknown): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(value ?? null));
  if (run.privacyTier !== "strict") return json;
  return sealFor(platform().settings.sealingKeys, payloadContext(run.id, name), json);
}

/** A stored payload's value; null once it was purged. */
export function fromStored(run: PayloadOwner, name: string, stored: Uint8Array | null): unknown {
  if (stored === null) return null;
  const json =
    run.privacyTier === "strict"
      ? openFor(platform().settings.sealingKeys, payloadContext(run.id, name), stored)
      : stored;
  if (!json) throw new Error(`The ${name} of ${run.id} was sealed under another key (SEALING_KEY).`);
  return parseKeepingDigits(new TextDecoder().decode(json));
}
