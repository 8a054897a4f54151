import postgres from "postgres";
import { expect, test } from "vitest";
import { onCleanup } from "#server/testing/cleanup.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { SEALED } from "./sealed-columns.ts";

// Every binary column is resealed when SEALING_KEY is replaced, unless it is listed here: a new one must be decided on.
const NOT_RESEALED = {
  "gone a day after the call, before which no old key is removed": [
    "database_commits.answer",
    "idempotency_records.body",
  ],
  "sealed under another key: the vault's, or one that is derived from the token": [
    "credit_tokens.answer",
    "wallets.sealed_key",
  ],
  "digests, which open to nothing": [
    "api_keys.hash",
    "approvals.payload_hash",
    "audit_archives.requests",
    "audit_archives.sha256",
    "audit_chain.actor_label_digest",
    "audit_chain.end_user_digest",
    "audit_chain.hash",
    "audit_chain.ip_digest",
    "audit_chain.previous_hash",
    "audit_chain.user_agent_digest",
    "audit_heads.hash",
    "audit_signed_heads.hash",
    "credit_tokens.fingerprint",
    "credit_tokens.hash",
    "database_commits.fingerprint",
    "database_results.fingerprint",
    "idempotency_records.fingerprint",
    "invitations.token_hash",
    "oauth_clients.secret_hash",
    "oauth_requests.code_hash",
    "oauth_requests.device_hash",
    "oauth_requests.user_code_hash",
    "oauth_tokens.hash",
    "password_resets.token_hash",
    "sign_in_attempts.subject",
    "users.recovery_codes",
  ],
  "keys to names in the blob store, beside the names of newer events": ["audit_person_keys.key"],
  "what a model writes, never on the tier `strict`": ["run_output.text"],
  "salts, signatures, public keys and signed transactions": [
    "audit_chain.salt",
    "audit_signed_heads.public_key",
    "audit_signed_heads.signature",
    "relayer_sends.raw",
    "transaction_attempts.raw",
  ],
};

test("every binary column is resealed, or is listed as an exception", async () => {
  const database = await createTestDatabase();
  onCleanup(database.drop);
  const sql = postgres(database.url, { max: 1 });
  onCleanup(() => sql.end());
  const columns = await sql<{ name: string }[]>`
    select relname || '.' || attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped and atttypid in ('bytea'::regtype, 'bytea[]'::regtype)`;
  const sealed = SEALED.map(({ table, column }) => `${table}.${column}`);
  const decided = [...sealed, ...Object.values(NOT_RESEALED).flat()];
  expect(columns.map(({ name }) => name).sort()).toEqual(decided.sort());
});
