import { grantCredits } from "#server/credits/post-credits.ts";
import { type startApi, unique } from "./api.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
type Caller = Pick<Api, "send">;

/** Creates an account with these credits; returns its first key. */
export async function createPayingKey(api: Api, credits: number, body: Record<string, unknown> = {}) {
  const root = await api.createRootKey(body);
  await grantTo(api, root.accountId, credits);
  return root;
}

/** Gives an account credits. */
export function grantTo({ platform }: Api, accountId: string, credits: number) {
  return platform.database.db.transaction((tx) =>
    grantCredits(tx, { accountId, credits, reference: unique("grant"), description: "For a test" }),
  );
}

/** Invokes an operation of `managed-memory` with this key. */
export function invokeMemory(
  api: Caller,
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
