import { z } from "zod";
import { endUsers } from "#db/schema/accounts.ts";
import { connections } from "#db/schema/connections.ts";
import { currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { type Issue, notFound } from "#server/operation/errors.ts";
import { invalidRequest } from "#server/operation/input.ts";
import { operation } from "#server/operation/operation.ts";
import { checkSettings } from "./check-settings.ts";
import { emitConnectionEvents } from "./connection-events.ts";
import { widenedHosts } from "./hosts.ts";
import { type ConnectionRow, connectionColumns, oneVisible, ownEndUser } from "./queries.ts";
import { Connection, type ConnectionChanges, ConnectionParams, UpdateConnection } from "./schema.ts";
import { fingerprintOf, sealPart } from "./secrets.ts";

export const updateConnection = operation({
  id: "connections.update",
  method: "PATCH",
  path: "/connections/{connectionId}",
  summary: "Update a connection",
  description:
    "Changes only the fields sent. A `secret` replaces the previous one at once, as the next `secretVersion`. Additional hosts, or another `tokenUrl`, require the secret in the same request, so that a caller who doesn't know it can't have it sent elsewhere.",
  scope: "connections:write",
  idempotent: true,
  params: ConnectionParams,
  body: UpdateConnection,
  secretFields: ["secret"],
  output: z.object({ connection: Connection }),
  errors: ["not_found"],
  examples: { body: { secret: "s3cr3t-of-the-outside-system", label: "Orders API, rotated" } },

  async handler({ params, body, caller, db }) {
    const mine = oneVisible(caller, params.connectionId);
    const [before] = await db
      .select({ ...connectionColumns })
      .from(connections)
      .leftJoin(endUsers, ownEndUser)
      .where(mine)
      .for("update", { of: connections });
    if (!before) throw notFound("connection", params.connectionId);
    const allowedHosts = checkSettings({
      authType: before.authType,
      allowedHosts: body.allowedHosts ?? before.allowedHosts,
      ...ownSettings(before),
      ...(body.tokenUrl !== undefined && { tokenUrl: body.tokenUrl }),
      ...(body.secret !== undefined && { secret: body.secret }),
      ...(typeof body.expiresAt === "string" && { expiresAt: body.expiresAt }),
    });
    refuseRedirection(before, body, allowedHosts);
    const { secret, metadata, expiresAt, status, allowedHosts: _, ...plain } = body;
    const [row] = await db
      .update(connections)
      .set({
        ...plain,
        allowedHosts,
        ...(metadata !== undefined && { metadata: metadata ?? {} }),
        ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
        status: status ?? (secret !== undefined && before.status === "broken" ? "active" : before.status),
        ...(secret !== undefined && rotation(before, secret)),
      })
      .where(mine)
      .returning();
    const after = { ...defined(row), endUser: before.endUser };
    const disabled = after.status === "disabled" && before.status !== "disabled";
    return {
      connection: await emitConnectionEvents(
        db,
        after,
        ...(secret === undefined ? [] : (["connection.rotated"] as const)),
        ...(disabled ? (["connection.disabled"] as const) : []),
      ),
    };
  },
});

type Before = Omit<ConnectionRow, "secret" | "token" | "refusals">;

/** Returns the current settings specific to the authType; an update must not leave them contradicting the rest. */
function ownSettings({ headerName, username, clientId, tokenUrl, tokenScopes }: Before) {
  return {
    headerName: headerName ?? undefined,
    username: username ?? undefined,
    clientId: clientId ?? undefined,
    tokenUrl: tokenUrl ?? undefined,
    tokenScopes: tokenScopes ?? undefined,
  };
}

function rotation({ accountId, id, secretVersion }: Before, secret: string) {
  const owner = { accountId, id, secretVersion: secretVersion + 1 };
  return {
    secretVersion: owner.secretVersion,
    secret: sealPart("secret", owner, secret),
    secretFingerprint: fingerprintOf(accountId, secret),
    rotatedAt: currentTime(),
    refusals: [],
    token: null,
    tokenExpiresAt: null,
  };
}

/**
 * Refuses new hosts or token addresses without the secret, so that nobody can have a secret they do not know sent to
 * their own host.
 */
function refuseRedirection(before: Before, body: ConnectionChanges, allowedHosts: string[]): void {
  if (body.secret !== undefined) return;
  const issues: Issue[] = [];
  const widened = widenedHosts(before.allowedHosts, allowedHosts);
  if (widened.length > 0)
    issues.push({
      path: "body.allowedHosts",
      message: `${widened.join(", ")} would be new. Send the secret in the same request.`,
    });
  if (body.tokenUrl !== undefined && body.tokenUrl !== before.tokenUrl)
    issues.push({ path: "body.tokenUrl", message: "A new address needs the secret in the same request." });
  if (issues.length > 0) throw invalidRequest(issues);
}
