import { type SQL, sql } from "drizzle-orm";
import { idText } from "#db/columns.ts";
import { anyOf } from "#db/conditions.ts";
import { members, users } from "#db/schema/accounts.ts";
import { apiKeys } from "#db/schema/keys.ts";
import { oauthGrants } from "#db/schema/oauth.ts";
import { toUuid } from "#server/base/ids.ts";
import type { Caller } from "#server/operation/caller.ts";
import { patternOf } from "#server/operation/matching.ts";
import { isAdmin } from "#server/operation/roles.ts";
import type { Term } from "./term.ts";

const MAX_FOUND = 20;

/** Finds members by a part of their name, address or id. */
export function membersNamed(caller: Caller, { text, idPart }: Term): SQL[] {
  const anywhere = patternOf(text);
  const ofMembers = idPart && (idPart.kind === null || idPart.kind === "member");
  return [
    membersWith(
      caller,
      anyOf(
        sql`${users.name} ilike ${anywhere}`,
        sql`${users.email} ilike ${anywhere}`,
        ofMembers ? sql`${idText(members.id)} like ${idPart.pattern}` : undefined,
      ),
    ),
  ];
}

/** Finds members by their id or its beginning. */
export const membersBetween = (caller: Caller, first: string, last: string) =>
  membersWith(
    caller,
    sql`${members.id} between ${toUuid("member", first)}::uuid and ${toUuid("member", last)}::uuid`,
  );

/** Selects members of the account, whom every member may see. */
function membersWith({ accountId }: Caller, condition: SQL): SQL {
  return sql`(select 'member' as kind, ${members.id}::text as id, ${users.name} as label, ${users.email} as detail, null as parent
    from ${members} join ${users} on ${users.id} = ${members.userId}
    where ${members.accountId} = ${toUuid("account", accountId)}::uuid and ${condition} limit ${MAX_FOUND})`;
}

/** Finds the apps that have access now, by a part of their name, host or id; for those who may see the apps of others. */
export function appsNamed(caller: Caller, { text }: Term): SQL[] {
  if (caller.type !== "member" || !isAdmin(caller.role)) return [];
  const { accountId, keyId, clientId, clientName, host } = oauthGrants;
  const anywhere = patternOf(text);
  return [
    sql`(select distinct 'app' as kind, ${clientId} as id, ${clientName} as label, ${host} as detail, null as parent
      from ${oauthGrants} join ${apiKeys} on ${apiKeys.accountId} = ${accountId} and ${apiKeys.id} = ${keyId}
      where ${accountId} = ${toUuid("account", caller.accountId)}::uuid and ${apiKeys.revokedAt} is null and ${apiKeys.expiresAt} > now()
        and (${clientId} ilike ${anywhere} or ${clientName} ilike ${anywhere} or ${host} ilike ${anywhere}) limit ${MAX_FOUND})`,
  ];
}
