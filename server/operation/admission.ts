import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { askOwnRow } from "#db/echo.ts";
import { json } from "#db/json.ts";
import { batched } from "#server/base/batch.ts";
import { learnClock } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { idOf } from "#server/base/ids.ts";
import type { AccessQuestion } from "./access.ts";
import type { Caller, KeyCaller, PrivacyTier } from "./caller.ts";
import { ApiError, type ErrorCode, type ExhaustedLimit } from "./errors.ts";
import { AccountFrozen } from "./faults.ts";
import { refusalBy } from "./refuse-denied.ts";
import type { Lease } from "./renew-leases.ts";
import type { Scope } from "./scopes.ts";

/**
 * Calls are judged and ended in as few statements as possible, and no batch waits behind one that the
 * database does not answer. The queue is bounded, so that all of it can be refused well within five seconds
 * while the database is silent.
 */
export const BATCHES = { inFlight: 1, size: 256, most: 2048, slowMs: 250 };

/** The state of a limit that governed a call. */
export interface LimitState {
  selector: string;
  kind: ExhaustedLimit["kind"];
  limit: number;
  remaining: number;
  resetMs: number | null;
}

/** An authenticated caller; `refusal` says why the call is not authorised, if so. */
export interface Admission {
  caller: Caller;
  at: Date;
  /** True if the credential's expiry is extended by each request. */
  renewed: boolean;
  /** Lease to release when the call ends; null if no concurrency limit applies. */
  lease: Lease | null;
  limits: LimitState[];
  /** True if the call counted against its limits. */
  counted: boolean;
  refusal: ApiError | null;
}

/** The input of admission for one call with a bearer key. */
export interface AdmissionRequest extends AccessQuestion {
  /** SHA-256 of the secret, in hex. */
  hash: string;
  /** For an access token: the resources it may be issued for (its allowed audiences). */
  audiences?: readonly string[];
  /** The UUID that `X-Service-Project` names. */
  project: string | null;
  /** The external id that `X-Service-End-User` names. */
  endUser: string | null;
  metered: boolean;
  /** True to judge the call without counting it against limits and without taking a lease. */
  uncounted?: boolean;
  /** True for a call of a run that is under way, which goes on to its next step when its account is frozen. */
  continues?: boolean;
}

/** The result of the database function `admit` for a group of equal calls; ids are UUIDs. */
interface Verdict {
  admitted: number;
  code?: ErrorCode;
  refusedBy?: string;
  limit?: { operation: string; kind: ExhaustedLimit["kind"]; keyId: string; limit: number };
  retryMs?: number;
  at: number;
  accountId: string;
  keyId: string;
  label: string;
  chain: string[];
  depth: number;
  scopes: Scope[];
  allowedServices: string[] | null;
  renewed: boolean;
  boundProjectId: string | null;
  boundEndUserId: string | null;
  /** Present only if the key is bound to an end user or the call names one. */
  endUserId?: string | null;
  endUser?: string | null;
  privacyTier: PrivacyTier;
  /**
   * Present only if the key is bound to a project or the call names one; null if that project does not exist.
   */
  projectStatus?: "active" | "archived" | null;
  limits: LimitState[];
  /** Present only if a concurrency limit applies: one lease for each admitted call. */
  leases?: string[] | null;
  leased?: Pick<Lease, "keyIds" | "selectors">;
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  unauthenticated: "The API key is unknown.",
  api_key_expired: "The API key has expired. Create a new one.",
  api_key_revoked: "The API key was revoked.",
  ancestor_expired: "A key above this API key has expired.",
  ancestor_revoked: "A key above this API key was revoked.",
};

const CHECKS: Partial<Record<ErrorCode, "scope" | "service" | "operation">> = {
  scope_missing: "scope",
  service_not_allowed: "service",
  operation_not_allowed: "operation",
};

function refusalOf(verdict: Verdict, request: AdmissionRequest): ApiError | null {
  const { code } = verdict;
  if (!code) return null;
  const keyId = verdict.refusedBy ? idOf("apiKey", verdict.refusedBy) : undefined;
  const check = CHECKS[code];
  if (check) return refusalBy({ check, keyId: defined(keyId) }, request);
  return new ApiError(code, MESSAGES[code] ?? "The API key was refused.", { keyId });
}

function exhausted(verdict: Verdict, request: AdmissionRequest): ApiError {
  const { operation, kind, keyId, limit } = defined(verdict.limit);
  const retryMs = verdict.retryMs ?? 1000;
  const key = idOf("apiKey", keyId);
  const what = kind === "maxConcurrent" ? `${limit} calls at a time` : `${limit} calls in 60 seconds`;
  return new ApiError("limit_exhausted", `Key ${key} allows ${what} on ${operation}.`, {
    check: "limit",
    keyId: key,
    limit: {
      operation,
      kind,
      keyId: key,
      limit,
      resetAt: kind === "maxConcurrent" ? null : new Date(verdict.at + retryMs).toISOString(),
    },
    retryAfterSeconds: Math.max(1, Math.ceil(retryMs / 1000)),
    headers: { "x-service-limit-operation": request.selectors[0] },
  });
}

function callerOf(verdict: Verdict, request: AdmissionRequest): KeyCaller {
  const projectId = verdict.boundProjectId ?? request.project;
  const bound = verdict.boundEndUserId !== null;
  return {
    type: "key",
    accountId: idOf("account", verdict.accountId),
    id: idOf("apiKey", verdict.keyId),
    label: verdict.label,
    scopes: verdict.scopes,
    chain: verdict.chain.map((uuid) => idOf("apiKey", uuid)),
    depth: verdict.depth,
    isApp: request.audiences !== undefined,
    allowedServices: verdict.allowedServices,
    privacyTier: verdict.privacyTier,
    // A refusal has no project status, but the key's bound project is known and belongs in the call's audit
    // event.
    project:
      projectId && (verdict.projectStatus || verdict.boundProjectId)
        ? {
            id: idOf("project", projectId),
            status: verdict.projectStatus ?? "active",
            bound: verdict.boundProjectId !== null,
          }
        : null,
    endUser:
      verdict.endUser == null && !bound
        ? null
        : {
            id: endUserId(verdict),
            externalId: verdict.endUser ?? "",
            bound,
          },
  };
}

function endUserId(verdict: Verdict): string | null {
  const uuid = verdict.endUserId ?? verdict.boundEndUserId;
  return uuid ? idOf("endUser", uuid) : null;
}

/**
 * Returns the refusal if the project or end user named in the headers conflicts with the key's bindings;
 * otherwise null.
 */
function selectionRefusal(verdict: Verdict, request: AdmissionRequest): ApiError | null {
  const { boundProjectId, boundEndUserId } = verdict;
  if (request.project && boundProjectId && request.project !== boundProjectId) {
    return new ApiError(
      "project_not_allowed",
      `The key is bound to project ${idOf("project", boundProjectId)}.`,
    );
  }
  if (request.project && !verdict.projectStatus) return noSuchProject(idOf("project", request.project));
  if (request.endUser !== null && boundEndUserId && verdict.endUserId !== boundEndUserId) {
    return new ApiError("end_user_not_allowed", "The key is bound to another end user.");
  }
  return null;
}

export function archivedProject(id: string): ApiError {
  return new ApiError("state_conflict", `Project ${id} is archived. Select another, or none.`);
}

export function noSuchProject(id: string): ApiError {
  return new ApiError("not_found", `No project ${id}.`);
}

function leaseOf({ leases, leased, accountId }: Verdict, nth: number): Lease | null {
  const id = leases?.[nth];
  return id && leased ? { id, accountId, ...leased } : null;
}

/**
 * Judges calls with bearer keys, many in one round trip; resolves to null for an unknown key, and to an error for the key
 * of a frozen account. Calls `giveUp`
 * with the name of a batch that was not answered: the leases it took, or takes when it is carried out late,
 * belong to no call.
 */
export function createAdmission(sql: postgres.Sql, giveUp: (batch: string) => void) {
  async function judge(calls: object[]): Promise<Verdict[]> {
    const batch = randomUUID();
    const asked = performance.now();
    try {
      const question = sql<{ verdicts: Verdict[]; echo: string }[]>`
        select admit(${json(sql, calls)}, ${batch}) as verdicts, ${batch}::text as echo`;
      const { verdicts } = await askOwnRow(question, batch);
      const known = verdicts.find(({ at }) => at !== undefined);
      if (known) learnClock(known.at, asked, performance.now());
      return verdicts;
    } catch (error) {
      giveUp(batch);
      throw error;
    }
  }

  async function run(requests: AdmissionRequest[]): Promise<(Admission | ApiError | null)[]> {
    const groups = new Map<string, { request: AdmissionRequest; places: number[] }>();
    requests.forEach((request, place) => {
      const key = JSON.stringify(request);
      const group = groups.get(key) ?? { request, places: [] };
      groups.set(key, group);
      group.places.push(place);
    });
    const calls = [...groups.values()].map(({ request, places }) => ({
      ...request,
      count: request.uncounted ? 0 : places.length,
    }));
    const verdicts = await judge(calls);
    const admissions = new Array<Admission | ApiError | null>(requests.length).fill(null);
    [...groups.values()].forEach(({ request, places }, index) => {
      const verdict = verdicts[index];
      if (!verdict || verdict.code === "unauthenticated") return;
      if (verdict.code === "service_unavailable") {
        for (const place of places) admissions[place] = new AccountFrozen();
        return;
      }
      const caller = callerOf(verdict, request);
      const selection = selectionRefusal(verdict, request);
      places.forEach((place, nth) => {
        const admitted = nth < verdict.admitted;
        admissions[place] = {
          caller,
          at: new Date(verdict.at),
          renewed: verdict.renewed,
          lease: leaseOf(verdict, nth),
          limits: verdict.limits ?? [],
          counted: admitted,
          refusal: admitted
            ? selection
            : verdict.limit
              ? exhausted(verdict, request)
              : refusalOf(verdict, request),
        };
      });
    });
    return admissions;
  }
  return batched(run, { name: "admit", ...BATCHES });
}
