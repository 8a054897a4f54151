import { and, eq, isNull } from "drizzle-orm";
import { projects } from "#db/schema/projects.ts";
import { uuidOf } from "#server/ids.ts";
import { keyFaults } from "#server/keys/boundary.ts";
import { randomText, secretHash } from "#server/keys/secrets.ts";
import { ApiError, type Issue, notFound } from "#server/operation/errors.ts";
import { operation } from "#server/operation/operation.ts";
import { APP_SCOPES, type Scope } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { SPENDING_SCOPES } from "./app-scopes.ts";
import { withParameters } from "./redirect-uris.ts";
import { connectsApps, decide } from "./requests.ts";
import { AllowApp, Decided, OFFERED_CREDITS, RequestParams } from "./schema.ts";

const DAY = 86_400_000;

export const allowApp = operation({
  id: "apps.allow",
  method: "POST",
  path: "/app-requests/{requestId}/allow",
  summary: "Approve an app's request for access",
  description:
    "Within the member's role. The app exchanges the code in `redirectTo` for tokens within a minute; the API key behind them is made then.",
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
    const code = randomText();
    const policy = {
      scopes,
      allowedServices,
      projectId,
      creditsPerDay,
      requestsPerMinute,
      expiresAt: new Date(at.getTime() + body.days * DAY).toISOString(),
    };
    const decision = { decision: "allowed", accountId: caller.accountId, memberId: caller.id } as const;
    const request = await decide(db, params.requestId, { ...decision, policy, codeHash: secretHash(code) });
    const { state } = request;
    return {
      redirectTo: withParameters(request.redirectUri, { code, state, iss: platform().settings.baseUrl }),
    };
  },
});

/** What an app can't get, whoever allows it. */
function bodyFaults(body: Record<string, unknown>, at: Date): Issue[] {
  const scopes: unknown[] = Array.isArray(body.scopes) ? body.scopes : [];
  const never = scopes.find((scope) => !(APP_SCOPES as readonly unknown[]).includes(scope));
  const spending = SPENDING_SCOPES.find((scope) => scopes.includes(scope));
  const days = typeof body.days === "number" ? body.days : 0;
  const faults = keyFaults(
    {
      scopes,
      allowedServices: body.allowedServices,
      expiresAt: days > 0 ? new Date(at.getTime() + Math.min(days, 10_000) * DAY).toISOString() : undefined,
    },
    at,
  ).map((issue) => (issue.path === "body.expiresAt" ? { ...issue, path: "body.days" } : issue));
  if (never !== undefined) faults.push({ path: "body.scopes", message: `No app may get ${String(never)}.` });
  if (spending && typeof body.creditsPerDay !== "number")
    faults.push({
      path: "body.creditsPerDay",
      message: `An app with ${spending} needs a daily limit, e.g. ${OFFERED_CREDITS}.`,
    });
  return faults;
}
