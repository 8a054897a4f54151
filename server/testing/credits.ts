import { grantCredits } from "#server/credits/post-credits.ts";
import { type startApi, unique } from "./api.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** The first key of a new account that has these credits. */
export async function createPayingKey(api: Api, credits: number, body: Record<string, unknown> = {}) {
  const root = await api.createRootKey(body);
  await api.platform.database.db.transaction((tx) =>
    grantCredits(tx, {
      accountId: root.accountId,
      credits,
      reference: unique("grant"),
      description: "For a test",
    }),
  );
  return root;
}

/** Invokes an operation of `managed-memory` with this key. */
export function invokeMemory(
  api: Api,
  key: string,
  operationId: string,
  input: unknown,
  options: { headers?: Record<string, string>; idempotencyKey?: string } = {},
) {
  return api.send("POST", "/v1/services/managed-memory/invoke", {
    key,
    body: { operationId, input },
    ...options,
  });
}
