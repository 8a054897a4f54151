import type { startApi } from "./api.ts";
import { invokeMemory } from "./credits.ts";

type Api = Awaited<ReturnType<typeof startApi>>;
type Caller = Pick<Api, "send">;

/** Requests an approval to delete a memory with this key. */
export function askToDelete(api: Api, key: string, input: unknown, more: Record<string, unknown> = {}) {
  return api.send("POST", "/v1/approvals/service-actions", {
    key,
    body: { serviceId: "managed-memory", operationId: "delete", input, ...more },
  });
}

/** Decides an approval with this key, using its shown payload hash. */
export function decide(
  api: Caller,
  key: string,
  approval: { id: string; payloadHash: string },
  more: Record<string, unknown> = {},
) {
  return api.send("POST", `/v1/approvals/${approval.id}`, {
    key,
    body: { decision: "approve", payloadHash: approval.payloadHash, ...more },
  });
}

/** Deletes a memory with this key and approval. */
export function deleteApproved(
  api: Api,
  key: string,
  input: unknown,
  approvalId: string | undefined,
  more: { headers?: Record<string, string>; idempotencyKey?: string } = {},
) {
  return api.send("POST", "/v1/services/managed-memory/invoke", {
    key,
    body: { operationId: "delete", input, approvalId },
    ...more,
  });
}

/** Stores a memory with this name, and has its deletion approved. */
export async function approvedDeletion(
  api: Api,
  key: string,
  name: string,
): Promise<{ id: string; status: string }> {
  await invokeMemory(api, key, "put", { name, content: "To be deleted" });
  const { approval } = (await askToDelete(api, key, { name })).body;
  return (await decide(api, key, approval)).body.approval;
}
