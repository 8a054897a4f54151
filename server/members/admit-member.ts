import { sql } from "drizzle-orm";
import { idOf, uuidOf } from "#server/ids.ts";
import { roleCovers } from "#server/operation/access.ts";
import { type Admission, archivedProject, noSuchProject } from "#server/operation/admission.ts";
import type { MemberCaller, Role } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Operation } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { sessionEnded, touchSession } from "./person.ts";
import { ROLE_SCOPES } from "./roles.ts";

interface MemberRow extends Record<string, unknown> {
  member: string;
  user: string;
  name: string;
  email: string;
  role: Role;
  project: "active" | "archived" | null;
  end_user: string | null;
}

/** Admits a call by a person signed in to the console: the session must live, the role must cover the scope. */
export async function admitMember(
  session: { sessionId: string; accountId: string },
  operation: Operation,
  project: string | null,
  endUser: string | null,
): Promise<Admission> {
  const rows = await platform().database.db.execute<MemberRow>(sql`
    with ${touchSession(session.sessionId)}
    select m.id as member, u.id as user, u.name, u.email, m.role,
      (select case when p.archived_at is null then 'active' else 'archived' end from projects p
        where p.account_id = m.account_id and p.id = ${project}::uuid) as project,
      (select e.id from end_users e where e.account_id = m.account_id and e.external_id = ${endUser}) as end_user
    from sessions s join members m on m.user_id = s.user_id join users u on u.id = s.user_id
    where s.id = ${uuidOf("session", session.sessionId)}::uuid and m.account_id = ${uuidOf("account", session.accountId)}::uuid
      and s.revoked_at is null and s.expires_at > now()`);
  const row = rows[0];
  if (!row) throw sessionEnded();
  const caller: MemberCaller = {
    type: "member",
    id: idOf("member", row.member),
    userId: idOf("user", row.user),
    sessionId: session.sessionId,
    accountId: session.accountId,
    label: row.name || row.email,
    role: row.role,
    scopes: ROLE_SCOPES[row.role],
    project:
      project && row.project ? { id: idOf("project", project), status: row.project, bound: false } : null,
    endUser:
      endUser === null
        ? null
        : { id: row.end_user ? idOf("endUser", row.end_user) : null, externalId: endUser, bound: false },
    privacyTier: "standard",
  };
  return {
    caller,
    at: new Date(),
    renewed: false,
    lease: null,
    limits: [],
    counted: false,
    refusal: refusalOf(caller, operation, project),
  };
}

function refusalOf(caller: MemberCaller, operation: Operation, project: string | null): ApiError | null {
  const { scope, id } = operation;
  if (scope && !roleCovers(caller, scope, id)) {
    return new ApiError("scope_missing", `The role ${caller.role} lacks the scope ${scope} for ${id}.`, {
      check: "scope",
    });
  }
  if (project && !caller.project) return noSuchProject(idOf("project", project));
  return caller.project?.status === "archived" ? archivedProject(caller.project.id) : null;
}
