import { setTimeout as sleep } from "node:timers/promises";
import type { startApi } from "#server/testing/api.ts";
import type { Caller } from "./requests.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

const LIFE_MS = 1500;
const SMALL_SCOPES = ["projects:read", "files:read", "wallets:read", "runs:read"];

/** Callers that may not call: they must get nothing of an account, whatever they send. */
export const DEAD: ReadonlySet<Caller> = new Set(["revoked", "below", "expired", "nobody"]);

/** Returns the secrets of an account's callers, with the ids of the keys that requests use. */
export async function makeKeys(api: Api) {
  const root = await api.createRootKey();
  const child = await api.createChild(root.key, { scopes: SMALL_SCOPES });
  const revoked = await api.createChild(root.key);
  const below = await api.createChild(revoked.key);
  await api.send("DELETE", `/v1/api-keys/${revoked.apiKey.id}`, { key: root.key });
  const expiresAt = new Date(Date.now() + LIFE_MS).toISOString();
  const expired = await api.createChild(root.key, { expiresAt });
  while (Date.now() < Date.parse(expiresAt)) await sleep(50);
  const keys: Record<Caller, string | null> = {
    root: root.key,
    child: child.key,
    revoked: revoked.key,
    below: below.key,
    expired: expired.key,
    nobody: null,
  };
  return { keys, root, kept: new Set<string>([root.apiKey.id, child.apiKey.id]) };
}
