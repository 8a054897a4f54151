import { z } from "zod";
import { typeId } from "#server/operation/fields.ts";
import { operation } from "#server/operation/operation.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";
import { KeyAccess } from "./access/schema.ts";
import { effectiveAccess } from "./effective-access.ts";
import { managedChain } from "./queries.ts";

export const readKeyAccess = operation({
  id: "apiKeys.access.read",
  method: "GET",
  path: "/api-keys/access",
  summary: "Read an API key's access",
  description:
    "For members: returns each scope, service, operation and limit with the key of the chain that decides it; without `keyId`, the access that the member could give to a root key.",
  scope: "api_keys:manage",
  surfaces: ["console"],
  query: z.object({
    keyId: typeId("apiKey")
      .optional()
      .describe("The key to explain; without it, the member's own permissions."),
  }),
  output: z.object({ access: KeyAccess }),
  errors: ["not_found"],

  async handler({ query, caller, db }) {
    if (query.keyId === undefined) return { access: await effectiveAccess(db, [], caller.scopes) };
    const chain = await managedChain(db, caller, query.keyId);
    return { access: await effectiveAccess(db, chain, SCOPE_NAMES) };
  },
});
