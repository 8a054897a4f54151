import { z } from "zod";
import { connections } from "#db/schema/connections.ts";
import { defined } from "#server/base/defined.ts";
import { newId } from "#server/base/ids.ts";
import { operation } from "#server/operation/operation.ts";
import { assignmentOf } from "#server/operation/tenancy.ts";
import { checkSettings } from "./check-settings.ts";
import { emitConnectionEvents } from "./connection-events.ts";
import { Connection, CreateConnection } from "./schema.ts";
import { fingerprintOf, sealPart } from "./secrets.ts";

export const createConnection = operation({
  id: "connections.create",
  method: "POST",
  path: "/connections",
  summary: "Create a connection",
  description:
    "Stores a secret of an outside system, sealed and bound to hosts. Workflows, agents and services use it by the connection's id.",
  scope: "connections:write",
  idempotent: true,
  body: CreateConnection,
  secretFields: ["secret"],
  output: z.object({ connection: Connection }),
  status: 201,
  examples: {
    body: {
      label: "Orders API",
      provider: "orders",
      authType: "api_key",
      secret: "s3cr3t-of-the-outside-system",
      allowedHosts: ["api.example.com"],
    },
  },

  async handler({ body, caller, db }) {
    const allowedHosts = checkSettings(body);
    const { secret, metadata, expiresAt, headerName, ...settings } = body;
    const assignment = await assignmentOf(db, caller);
    const owner = { accountId: caller.accountId, id: newId("connection"), secretVersion: 1 };
    const [row] = await db
      .insert(connections)
      .values({
        ...settings,
        ...assignment,
        ...owner,
        allowedHosts,
        headerName: headerName ?? (body.authType === "api_key" ? "X-API-Key" : null),
        metadata: metadata ?? {},
        status: "active",
        secret: sealPart("secret", owner, secret),
        secretFingerprint: fingerprintOf(caller.accountId, secret),
        expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
      })
      .returning();
    const made = { ...defined(row), endUser: caller.endUser?.externalId ?? null };
    return { connection: await emitConnectionEvents(db, made, "connection.created") };
  },
});
