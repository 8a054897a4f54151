import { and, eq, isNull } from "drizzle-orm";
import { projects } from "#db/schema/projects.ts";
import { DAY_MS } from "#server/base/durations.ts";
import { uuidOf } from "#server/base/ids.ts";
import { keyFaults } from "#server/keys/boundary.ts";
import { randomText, secretHash } from "#server/keys/secrets.ts";
import { ApiError, type Issue, notFound } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { operation } from "#server/operation/operation.ts";
import { CLI, type Scope, scopesFor } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { SPENDING_SCOPES } from "./app-scopes.ts";
import { withParameters } from "./redirect-uris.ts";
import { connectsApps, decide, findRequest } from "./requests.ts";
import { AllowApp, Decided, OFFERED_CREDITS, RequestParams } from "./schema.ts";

export const allowApp = operation({
  id: "apps.allow",
  method: "POST",
  path: "/app-requests/{requestId}/allow",
  summary: "Approve an app's request for access",
  description:
    "Grants access within the member's role. The app has one minute to exchange the code in `redirectTo` for tokens; the API key behind them is created at that moment.",
  scope: null,
  people: "members",
  stepUp: true,
  idempotent: true,
  secretOutput: true,
  surfaces: ["console"],
  params: RequestParams,
  body: AllowApp,
  bodyFaults,
  output: Decided,
  errors: ["not_found", "state_conflict", "delegation_exceeds_parent", "policy_denied"],

  async handler({ params, body, caller, db, request: { at } }) {
    if (!(await connectsApps(db, caller)))
      throw new ApiError(
        "policy_denied",
        "The account does not let you connect apps. An owner can change that.",
      );
    const { app } = await findRequest(db, params.requestId);
    const faults = faultsFor(app.id, body);
    if (faults.length > 0) throw invalidRequest(faults);
    const scopes = [...new Set<Scope>(["services:read", ...body.scopes])];
    const beyond = scopes.filter((scope) => !caller.scopes.includes(scope));
    if (beyond.length > 0)
      throw new ApiError("delegation_exceeds_parent", `Your role lacks ${beyond.join(", ")}.`, {
        issues: [{ path: "body.scopes", message: `Your role lacks ${beyond.join(", ")}.` }],
      });
    const { projectId, allowedServices, creditsPerDay, requestsPerMinute } = body;
    if (projectId !== null) {
      const live = and(
        eq(projects.accountId, caller.accountId),
        eq(projects.id, projectId),
        isNull(projects.archivedAt),
      );
      const [found] = uuidOf("project", projectId)
        ? await db.select({ id: projects.id }).from(projects).where(live)
        : [];
      if (!found) throw notFound("project", projectId);
    }
    const policy = {
      scopes,
      allowedServices,
      projectId,
      creditsPerDay,
      requestsPerMinute,
      expiresAt: new Date(at.getTime() + body.days * DAY_MS).toISOString(),
    };
    const decision = { decision: "allowed", accountId: caller.accountId, memberId: caller.id } as const;
    const code = randomText();
    const { redirectUri, state } = await decide(db, params.requestId, {
      ...decision,
      policy,
      codeHash: secretHash(code),
    });
    if (redirectUri === null) return { redirectTo: null };
    return { redirectTo: withParameters(redirectUri, { code, state, iss: platform().settings.baseUrl }) };
  },
});

function bodyFaults(body: Record<string, unknown>, at: Date): Issue[] {
  const scopes: unknown[] = Array.isArray(body.scopes) ? body.scopes : [];
  const days = typeof body.days === "number" ? body.days : 0;
  return keyFaults(
    {
      scopes,
      allowedServices: body.allowedServices,
      expiresAt:
        days > 0 ? new Date(at.getTime() + Math.min(days, 10_000) * DAY_MS).toISOString() : undefined,
    },
    at,
  ).map((issue) => (issue.path === "body.expiresAt" ? { ...issue, path: "body.days" } : issue));
}

/** Returns the faults of a policy that no member may give to the app. */
function faultsFor(clientId: string, { scopes, creditsPerDay }: AllowApp): Issue[] {
  const faults: Issue[] = [];
  const never = scopes.find((scope) => !scopesFor(clientId).includes(scope));
  const spending = SPENDING_SCOPES.find((scope) => scopes.includes(scope));
  if (never) faults.push({ path: "body.scopes", message: `No app may get ${never}.` });
  if (spending && creditsPerDay === null && clientId !== CLI)
    faults.push({
      path: "body.creditsPerDay",
      message: `An app with ${spending} needs a daily limit, e.g. ${OFFERED_CREDITS}.`,
    });
  return faults;
}
