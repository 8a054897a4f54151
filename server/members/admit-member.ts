import { type SQL, sql } from "drizzle-orm";
import { currentTime } from "#server/base/clock.ts";
import { idOf, uuidOf } from "#server/base/ids.ts";
import { roleCovers } from "#server/operation/access.ts";
import { type Admission, noSuchProject } from "#server/operation/admission.ts";
import type { MemberCaller, Role } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { AccountFrozen } from "#server/operation/faults.ts";
import { type Operation, scopeOf } from "#server/operation/operation.ts";
import { platform } from "#server/platform.ts";
import { sessionCounts, sessionEnded, touchSession } from "./person.ts";
import { memberCaller } from "./queries.ts";

interface MemberRow extends Record<string, unknown> {
  member: string;
  user: string;
  name: string;
  email: string;
  role: Role;
  operator: boolean;
  frozen: boolean;
  unenrolled: boolean;
  proved: boolean;
  project: "active" | "archived" | null;
  end_user: string | null;
}

/** The member that a call acts for: a person with a console session, or a member on whose behalf a run continues. */
type Presence = { accountId: string } & ({ sessionId: string } | { memberId: string });

/** For how many minutes a proof of identity is accepted for operations that move money or make keys. */
const PROOF_MINUTES = 15;

/** Selects the member of an active session, or a member by id. */
function presentMember(presence: Presence): SQL {
  const account = sql`m.account_id = ${uuidOf("account", presence.accountId)}::uuid`;
  if ("memberId" in presence)
    return sql`select m.*, now() as proved_at, true as absent from members m where ${account} and m.id = ${uuidOf("member", presence.memberId)}::uuid`;
  return sql`select m.*, s.proved_at, false as absent from sessions s join members m on m.user_id = s.user_id
    where s.id = ${uuidOf("session", presence.sessionId)}::uuid and ${account} and ${sessionCounts()}`;
}

/** Admits a call by a member of the account: the session must live, the role must cover the scope. */
export async function admitMember(
  presence: Presence,
  operation: Operation,
  project: string | null,
  endUser: string | null,
): Promise<Admission> {
  const rows = await platform().database.db.execute<MemberRow>(sql`
    with ${"sessionId" in presence ? sql`${touchSession(presence.sessionId)},` : sql``} m as (${presentMember(presence)})
    select m.id as member, u.id as user, u.name, u.email, m.role, u.is_operator as operator, m.account_id = any(frozen_ids()) as frozen,
      a.require_second_factor and u.totp_secret is null and not m.absent as unenrolled,
      m.proved_at > now() - make_interval(mins => ${PROOF_MINUTES}) as proved,
      (select case when p.archived_at is null then 'active' else 'archived' end from projects p
        where p.account_id = m.account_id and p.id = ${project}::uuid) as project,
      (select e.id from end_users e where e.account_id = m.account_id and e.external_id = ${endUser}) as end_user
    from m join users u on u.id = m.user_id join accounts a on a.id = m.account_id`);
  const row = rows[0];
  if (!row) throw sessionEnded();
  // A run that is under way goes on to its next step; its worker then hands it back.
  if (row.frozen && "sessionId" in presence) throw new AccountFrozen();
  const caller = memberCaller({
    id: idOf("member", row.member),
    userId: idOf("user", row.user),
    sessionId: "sessionId" in presence ? presence.sessionId : null,
    accountId: presence.accountId,
    label: row.name || row.email,
    role: row.role,
    project:
      project && row.project ? { id: idOf("project", project), status: row.project, bound: false } : null,
    endUser:
      endUser === null
        ? null
        : { id: row.end_user ? idOf("endUser", row.end_user) : null, externalId: endUser, bound: false },
  });
  return {
    caller,
    at: currentTime(),
    renewed: false,
    lease: null,
    limits: [],
    counted: false,
    refusal:
      operatorRefusal(row, operation) ??
      roleRefusal(caller, operation) ??
      personRefusal(row, operation) ??
      projectRefusal(caller, project),
  };
}

function operatorRefusal({ operator }: MemberRow, { people, id }: Operation): ApiError | null {
  if (people !== "operators" || operator) return null;
  return new ApiError("scope_missing", `Only operators of this installation may call ${id}.`, {
    check: "scope",
  });
}

function roleRefusal(caller: MemberCaller, operation: Operation): ApiError | null {
  const { role } = caller;
  const { people, id } = operation;
  const scope = scopeOf(operation);
  if (people === "owners" && role !== "owner")
    return new ApiError("scope_missing", `Only an owner of the account may call ${id}; you are ${role}.`, {
      check: "scope",
    });
  if (!scope || roleCovers(caller, scope, id)) return null;
  return new ApiError("scope_missing", `The role ${role} lacks the scope ${scope} for ${id}.`, {
    check: "scope",
  });
}

/**
 * Returns the refusal that asks the person for a proof or a second factor first. Runs on a member's behalf are exempt
 * from both.
 */
function personRefusal({ unenrolled, proved }: MemberRow, operation: Operation): ApiError | null {
  if (unenrolled)
    return new ApiError(
      "policy_denied",
      "The account requires a second factor of every member. Set one up under Security, then go on.",
      { needs: "second_factor" },
    );
  if (!operation.stepUp || proved) return null;
  return new ApiError(
    "policy_denied",
    `Prove that it is you before ${operation.id}: your last proof is more than ${PROOF_MINUTES} minutes old.`,
    { needs: "proof" },
  );
}

function projectRefusal(caller: MemberCaller, project: string | null): ApiError | null {
  return project && !caller.project ? noSuchProject(idOf("project", project)) : null;
}
