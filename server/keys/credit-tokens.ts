import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client.ts";
import { apiKeys, creditTokens } from "#db/schema/keys.ts";
import { projects } from "#db/schema/projects.ts";
import { currentTime } from "#server/base/clock.ts";
import { defined } from "#server/base/defined.ts";
import { newId, newUuid } from "#server/base/ids.ts";
import { type Admission, noSuchProject } from "#server/operation/admission.ts";
import type { SelectedProject, SystemCaller } from "#server/operation/caller.ts";
import { ApiError } from "#server/operation/errors.ts";
import { AccountFrozen } from "#server/operation/faults.ts";
import { type CallRecord, ClaimLost } from "#server/operation/idempotency.ts";
import { recordEvent } from "#server/operation/recorder.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";
import { platform, type Several } from "#server/platform.ts";
import { FIRST_CELL, hasSecretForm, newSecret, secretHash } from "./secrets.ts";

/**
 * Creates a credit token of this cell for the account, which can create one root key. The token is shown once; only
 * its hash is stored.
 */
export async function createCreditToken(
  tx: Transaction,
  accountId: string,
  cell = FIRST_CELL,
): Promise<string> {
  const token = newSecret("svc_credit_", cell);
  await tx.insert(creditTokens).values({ accountId, id: newId("creditToken"), hash: secretHash(token) });
  return token;
}

const unknownToken = () => new ApiError("credit_token_invalid", "The credit token is unknown.");

/**
 * Admits a call with a credit token, which represents the account itself and is accepted by `POST /api-keys` only.
 * The new key is bound to the project and the end user that the headers select.
 */
export async function admitCreditToken(
  token: string,
  { project: projectId, endUser }: { project: string | null; endUser: string | null },
): Promise<Admission> {
  if (!hasSecretForm("svc_credit_", token)) throw unknownToken();
  const [row] = await platform()
    .database.db.select({
      accountId: creditTokens.accountId,
      id: creditTokens.id,
      frozen: sql<boolean>`${creditTokens.accountId} = any(frozen_ids())`,
    })
    .from(creditTokens)
    .where(eq(creditTokens.hash, secretHash(token)));
  if (!row) throw unknownToken();
  if (row.frozen) throw new AccountFrozen();
  const project = projectId === null ? null : await selectedProject(row.accountId, projectId);
  const caller: SystemCaller = {
    type: "system",
    id: row.id,
    creditTokenId: row.id,
    label: "Credit token",
    accountId: row.accountId,
    scopes: SCOPE_NAMES,
    project,
    // The end user's id is looked up, or created, before the call continues.
    endUser: endUser === null ? null : { id: null, externalId: endUser, bound: false },
    privacyTier: "standard",
  };
  const refusal = projectId && !project ? noSuchProject(projectId) : null;
  return { caller, at: currentTime(), renewed: false, lease: null, limits: [], counted: false, refusal };
}

/** Returns the account's project that a header selects, if it exists. */
async function selectedProject(accountId: string, id: string): Promise<SelectedProject | null> {
  const [row] = await platform()
    .database.db.select({ archivedAt: projects.archivedAt })
    .from(projects)
    .where(and(eq(projects.accountId, accountId), eq(projects.id, id)));
  return row ? { id, status: row.archivedAt ? "archived" : "active", bound: false } : null;
}

/**
 * Returns the record of the single creation that a credit token allows. It is kept on the token for ever: the same
 * request again replays the response and renews the key, even an expired one.
 */
export function recordOnCreditToken(
  database: Database,
  caller: SystemCaller,
  key: string,
  fingerprints: Several<Uint8Array>,
): CallRecord {
  const accountId = caller.accountId;
  const id = defined(caller.creditTokenId);
  const token = and(eq(creditTokens.accountId, accountId), eq(creditTokens.id, id));
  return {
    context: `${accountId}/${id}/${key}`,

    async claim() {
      const [row] = await database.db.select().from(creditTokens).where(token);
      // Its account was deleted meanwhile.
      if (!row) throw unknownToken();
      if (!row.keyId || !row.answer || !row.fingerprint) return { effectId: newUuid() };
      const stored = Buffer.from(row.fingerprint);
      if (row.idempotencyKey !== key || !fingerprints.some((one) => stored.equals(one))) {
        throw new ApiError("state_conflict", "The credit token was used for another request. Use a new one.");
      }
      await renew(database, accountId, row.keyId);
      return { status: 201, headers: {}, body: row.answer };
    },

    async finish(tx, answer, event, output) {
      const keyId = (output.apiKey as { id: string }).id;
      const used = await tx
        .update(creditTokens)
        .set({ keyId, idempotencyKey: key, fingerprint: fingerprints[0], answer: answer.body })
        .where(and(token, isNull(creditTokens.keyId)))
        .returning({ id: creditTokens.id });
      if (used.length === 0) throw new ClaimLost();
      await recordEvent(tx, event);
    },

    release: async () => true,
  };
}

/** Sets the key's expiry to 30 days from now. A revoked key cannot be renewed. */
async function renew({ db }: Database, accountId: string, keyId: string): Promise<void> {
  const renewed = await db
    .update(apiKeys)
    .set({ lastUsedAt: currentTime() })
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  if (renewed.length === 0)
    throw new ApiError(
      "state_conflict",
      `Key ${keyId} was revoked and can't be renewed. Use a new credit token.`,
    );
}
