import { eq } from "drizzle-orm";
import { z } from "zod";
import { allOf } from "#db/conditions.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { oauthGrants } from "#db/schema/oauth.ts";
import { uuidOf } from "#server/base/ids.ts";
import { revokeKeys } from "#server/keys/queries.ts";
import { notFound } from "#server/operation/errors.ts";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { isAdmin } from "#server/operation/roles.ts";
import { ConnectedAppParams } from "./schema.ts";

export const revokeApp = operation({
  id: "apps.revoke",
  method: "DELETE",
  path: "/apps/{id}",
  summary: "Revoke an app's access",
  description:
    "Takes effect at once. Members may revoke the apps that they connected; admins and owners, any app. Revoking it again changes nothing.",
  scope: null,
  people: "members",
  idempotent: true,
  destructive: true,
  surfaces: ["console"],
  params: ConnectedAppParams,
  output: z.object({ id: typeId("apiKey") }),
  errors: ["not_found"],

  async handler({ params: { id }, caller, db, request: { at } }) {
    const all = caller.type === "member" && isAdmin(caller.role);
    const mine = allOf(
      eq(oauthGrants.accountId, caller.accountId),
      eq(oauthGrants.keyId, id),
      all ? undefined : eq(oauthGrants.memberId, caller.id),
    );
    const [grant] = uuidOf("apiKey", id)
      ? await db.select({ keyId: oauthGrants.keyId }).from(oauthGrants).where(mine)
      : [];
    if (!grant) throw notFound("connected app", id);
    await revokeKeys(db, caller.accountId, eq(apiKeys.id, grant.keyId), { caller, at });
    return { id: grant.keyId };
  },
});
