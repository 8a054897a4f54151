import type { StoredKind } from "#server/storage/schema.ts";
import type { startApi } from "./api.ts";
import { caller, signInMember } from "./console.ts";

/** Returns the bytes that the console shows as an account's usage of a kind. */
export async function storedBytes(
  api: Awaited<ReturnType<typeof startApi>>,
  accountId: string,
  kind: StoredKind,
): Promise<number> {
  const { cookie } = await signInMember(api, accountId, "viewer");
  const { data } = await caller(api, cookie).query("storage.read");
  return data.storage.find((item: { kind: StoredKind }) => item.kind === kind).usedBytes;
}
