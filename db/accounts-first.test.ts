import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";

// Installations are partitioned by account (docs/scaling.md). A unique index that does not begin with the account
// spans all accounts; it must be one of these, or be decided on here.
const OVER_ALL_ACCOUNTS = {
  "the account itself, and people, who may belong to several": [
    "accounts_pkey",
    "users_pkey",
    "users_email",
    "sessions_pkey",
    "members_user",
    "password_resets_pkey",
    "password_resets_token",
    "sign_in_attempts_pkey",
    "registrations_pkey",
  ],
  "secrets and addresses that arrive without their account": [
    "api_keys_hash",
    "callbacks_token",
    "inbound_webhooks_token",
    "credit_tokens_hash",
    "invitations_token",
    "oauth_tokens_pkey",
    "oauth_requests_pkey",
    "oauth_requests_device",
    "oauth_requests_user_code",
    "payments_receipt",
    "wallets_address",
  ],
  "apps, which ask any account": ["oauth_clients_pkey", "oauth_documents_pkey"],
  "chains, prices and the sandbox's relayer": [
    "asset_prices_network_asset_pk",
    "asset_price_samples_network_asset_observed_at_pk",
    "chain_heads_pkey",
    "payments_authorization",
    "payments_transfer",
    "swap_routes_order",
    "relayer_heads_pkey",
    "relayer_orders_pkey",
    "relayer_sends_network_nonce_pk",
    "relayer_sends_once",
  ],
  "the installation": [
    "audit_erasure_pkey",
    "blob_bytes_pkey",
    "leases_pkey",
    "loose_blobs_pkey",
    "rate_limit_counters_key_id_selector_pk",
    "receipt_keys_pkey",
    "tenant_databases_name_unique",
  ],
};

const database = await createTestDatabase();
const sql = postgres(database.url, { max: 1 });
afterAll(async () => {
  await sql.end();
  await database.drop();
});

test("every unique index begins with the account, but those that hold over all accounts", async () => {
  const found = await sql<{ name: string }[]>`
    select i.relname as name
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
    where t.relnamespace = 'public'::regnamespace and x.indisunique and not t.relispartition
      and a.attname is distinct from 'account_id'`;
  expect(found.map(({ name }) => name).sort()).toEqual(Object.values(OVER_ALL_ACCOUNTS).flat().sort());
});

// Such a table is in no cell and in no account's copy; it must be one of these, or be decided on here.
const WITHOUT_ACCOUNT = {
  "the account itself, and people, who may belong to several": [
    "accounts",
    "users",
    "sessions",
    "password_resets",
    "sign_in_attempts",
    "registrations",
  ],
  "apps, which ask any account": ["oauth_clients", "oauth_documents"],
  "chains, prices and the sandbox's relayer": [
    "asset_prices",
    "asset_price_samples",
    "chain_heads",
    "relayer_heads",
    "relayer_orders",
    "relayer_sends",
  ],
  "the installation": ["audit_erasure", "leases", "loose_blobs", "rate_limit_counters", "receipt_keys"],
};

test("every table names the account of its rows, but those of all accounts", async () => {
  const found = await sql<{ name: string }[]>`
    select t.relname as name from pg_class t
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
      and not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'account_id' and not a.attisdropped)`;
  expect(found.map(({ name }) => name).sort()).toEqual(Object.values(WITHOUT_ACCOUNT).flat().sort());
});
