import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.ts";
import { endUsers } from "#db/schema/accounts.ts";
import { projects } from "#db/schema/projects.ts";
import { defined } from "#server/base/defined.ts";
import { ApiError } from "#server/operation/errors.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { keyFaults } from "./boundary.ts";
import type { Above } from "./delegation.ts";
import { isDead } from "./lifetime.ts";
import { makeKey } from "./make-key.ts";
import { type KeyRow, managedChain } from "./queries.ts";
import { CreateApiKey, MadeApiKey } from "./schema.ts";

export const delegateApiKey = operation({
  id: "apiKeys.delegate",
  method: "POST",
  path: "/api-keys/{parentId}/children",
  summary: "Create an API key below another",
  description:
    "For members: creates a child of a key that they administer, as that key could itself, or a replacement when a key is rotated. The new key may do no more than the keys above it and the member's role.",
  scope: "api_keys:manage",
  stepUp: true,
  idempotent: true,
  secretOutput: true,
  surfaces: ["console"],
  params: z.object({ parentId: typeId("apiKey") }),
  body: CreateApiKey,
  bodyFaults: keyFaults,
  output: MadeApiKey,
  status: 201,
  errors: ["delegation_exceeds_parent", "not_found", "state_conflict"],

  async handler({ params, body, caller, db, request: { at } }) {
    const ancestors = await managedChain(db, caller, params.parentId);
    refuseDead(ancestors, at);
    const above = { ancestors, usedAt: undefined, ...(await bindingOf(db, defined(ancestors.at(-1)))) };
    return makeKey(db, body, { caller, at, above });
  },
});

/** Refuses a parent chain with a revoked or expired key: a key below it would be refused from its first request. */
function refuseDead(chain: readonly KeyRow[], at: Date): void {
  const revoked = chain.find((key) => key.revokedAt);
  if (revoked) throw new ApiError("state_conflict", `Key ${revoked.id} is revoked; nothing works below it.`);
  const expired = chain.find((key) => isDead(key, at));
  if (expired) throw new ApiError("state_conflict", `Key ${expired.id} has expired; nothing works below it.`);
}

/** Returns the project and the end user that the parent is bound to. */
async function bindingOf(
  db: Transaction,
  { accountId, projectId, endUserId }: KeyRow,
): Promise<Pick<Above, "project" | "endUser">> {
  const [project] = projectId
    ? await db
        .select()
        .from(projects)
        .where(and(eq(projects.accountId, accountId), eq(projects.id, projectId)))
    : [];
  if (project?.archivedAt) throw new ApiError("state_conflict", `Project ${project.id} is archived.`);
  const [endUser] = endUserId
    ? await db
        .select()
        .from(endUsers)
        .where(and(eq(endUsers.accountId, accountId), eq(endUsers.id, endUserId)))
    : [];
  return { project: project ?? null, endUser: endUser ?? null };
}
