CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"require_second_factor" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "end_users" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"external_id" text,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	CONSTRAINT "end_users_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "members" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	CONSTRAINT "members_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"user_agent" text,
	"ip" text,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"subject" "bytea" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"forgotten_until" timestamp (3) with time zone NOT NULL,
	"blocked_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"totp_secret" "bytea",
	"totp_pending" "bytea",
	"totp_last_step" integer,
	"recovery_codes" "bytea"[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_chain" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_label" text,
	"operation" text NOT NULL,
	"selector" text NOT NULL,
	"counted" boolean NOT NULL,
	"resource" text,
	"outcome" text NOT NULL,
	"status" integer NOT NULL,
	"error_code" text,
	"request_id" text NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"ip" text,
	"user_agent" text,
	"duration_ms" integer NOT NULL,
	"charged_credits" bigint DEFAULT 0 NOT NULL,
	"secret_version" integer,
	"salt" "bytea" NOT NULL,
	"actor_label_digest" "bytea",
	"ip_digest" "bytea",
	"user_agent_digest" "bytea",
	"end_user_digest" "bytea",
	"sequence" bigint NOT NULL,
	"previous_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "audit_chain_account_id_id_pk" PRIMARY KEY("account_id","id")
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "audit_erasure" (
	"only" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"dropped_sequence" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_pending" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_label" text,
	"operation" text NOT NULL,
	"selector" text NOT NULL,
	"counted" boolean NOT NULL,
	"resource" text,
	"outcome" text NOT NULL,
	"status" integer NOT NULL,
	"error_code" text,
	"request_id" text NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"ip" text,
	"user_agent" text,
	"duration_ms" integer NOT NULL,
	"charged_credits" bigint DEFAULT 0 NOT NULL,
	"secret_version" integer,
	CONSTRAINT "audit_pending_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "audit_signed_heads" (
	"account_id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL,
	"signature" "bytea" NOT NULL,
	"public_key" "bytea" NOT NULL,
	CONSTRAINT "audit_signed_heads_account_id_sequence_pk" PRIMARY KEY("account_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "usage_hours" (
	"account_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"operation" text NOT NULL,
	"selector" text NOT NULL,
	"actor_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"end_user_id" uuid NOT NULL,
	"actor_type" text NOT NULL,
	"requests" integer NOT NULL,
	"errors" integer NOT NULL,
	"limited" integer NOT NULL,
	"charged_credits" bigint NOT NULL,
	"histogram" integer[] NOT NULL,
	CONSTRAINT "usage_hours_account_id_hour_operation_selector_actor_id_project_id_end_user_id_pk" PRIMARY KEY("account_id","hour","operation","selector","actor_id","project_id","end_user_id")
);
--> statement-breakpoint
CREATE TABLE "idempotency_records" (
	"account_id" uuid NOT NULL,
	"caller_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"state" text NOT NULL,
	"owner" uuid NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"headers" jsonb,
	"body" "bytea",
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_records_account_id_caller_id_key_pk" PRIMARY KEY("account_id","caller_id","key")
) PARTITION BY HASH ("account_id", "caller_id", "key");
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"label" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"parent_id" uuid,
	"chain" uuid[] NOT NULL,
	"depth" integer NOT NULL,
	"scopes" text[] NOT NULL,
	"allowed_services" text[],
	"allowed_operations" text[],
	"operations_as_of" timestamp (3) with time zone NOT NULL,
	"expiry_mode" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"limits" jsonb NOT NULL,
	"limited" boolean NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"privacy_tier" text NOT NULL,
	"member_id" uuid,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "credit_tokens" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"key_id" uuid,
	"idempotency_key" text,
	"fingerprint" "bytea",
	"answer" "bytea",
	CONSTRAINT "credit_tokens_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "gates" (
	"key_id" uuid NOT NULL,
	"selector" text NOT NULL,
	"at" bigint[] DEFAULT '{}' NOT NULL,
	"admitted" integer[] DEFAULT '{}' NOT NULL,
	"active" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "gates_key_id_selector_pk" PRIMARY KEY("key_id","selector")
);
--> statement-breakpoint
CREATE TABLE "key_days" (
	"account_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"selector" text NOT NULL,
	"day" date NOT NULL,
	"used" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "key_days_account_id_key_id_selector_day_pk" PRIMARY KEY("account_id","key_id","selector","day")
);
--> statement-breakpoint
CREATE TABLE "key_limits" (
	"account_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"selector" text NOT NULL,
	"requests_per_minute" integer,
	"max_concurrent" integer,
	"credits_per_day" bigint,
	CONSTRAINT "key_limits_account_id_key_id_selector_pk" PRIMARY KEY("account_id","key_id","selector")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "leases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key_ids" uuid[] NOT NULL,
	"selectors" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registrations" (
	"selector" text PRIMARY KEY NOT NULL,
	"registered_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"account_id" uuid NOT NULL,
	"book" text NOT NULL,
	"posted" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "ledger_accounts_account_id_book_pk" PRIMARY KEY("account_id","book")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"account_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"book" text NOT NULL,
	"amount" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	CONSTRAINT "ledger_entries_account_id_transaction_id_book_pk" PRIMARY KEY("account_id","transaction_id","book")
);
--> statement-breakpoint
CREATE TABLE "ledger_holds" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"key_ids" uuid[] NOT NULL,
	"selectors" text[] NOT NULL,
	"day" date NOT NULL,
	"amount" bigint NOT NULL,
	"captured" bigint,
	"state" text NOT NULL,
	"description" text NOT NULL,
	"price_version" text,
	"request_id" text,
	"project_id" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_holds_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "ledger_transactions" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"description" text NOT NULL,
	"operation" text,
	"units" integer,
	"price_version" text,
	"request_id" text,
	"project_id" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_transactions_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "memories" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"space" uuid NOT NULL,
	"name" text,
	"content" text NOT NULL,
	"tags" text[] NOT NULL,
	"metadata" jsonb NOT NULL,
	"words" "tsvector" NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memories_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text,
	"metadata" jsonb DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"archived_at" timestamp (3) with time zone,
	CONSTRAINT "projects_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "end_users_external_id" ON "end_users" USING btree ("account_id","external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "members_user" ON "members" USING btree ("user_id","account_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "audit_chain_sequence" ON "audit_chain" USING btree ("account_id","sequence");--> statement-breakpoint
CREATE INDEX "audit_chain_request" ON "audit_chain" USING btree ("account_id","request_id");--> statement-breakpoint
CREATE INDEX "audit_chain_operation" ON "audit_chain" USING btree ("account_id","operation","id");--> statement-breakpoint
CREATE INDEX "audit_chain_actor" ON "audit_chain" USING btree ("account_id","actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_chain_refused" ON "audit_chain" USING btree ("account_id","outcome","id") WHERE outcome <> 'allowed';--> statement-breakpoint
CREATE INDEX "audit_chain_project" ON "audit_chain" USING btree ("account_id","project_id","id") WHERE project_id is not null;--> statement-breakpoint
CREATE INDEX "audit_chain_end_user" ON "audit_chain" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX "audit_chain_time" ON "audit_chain" USING brin ("id");--> statement-breakpoint
CREATE INDEX "idempotency_records_expires_at" ON "idempotency_records" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_parent" ON "api_keys" USING btree ("account_id","parent_id");--> statement-breakpoint
CREATE INDEX "api_keys_chain" ON "api_keys" USING gin ("chain");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_tokens_hash" ON "credit_tokens" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "leases_expires_at" ON "leases" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ledger_holds_open" ON "ledger_holds" USING btree ("state","expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transactions_reference" ON "ledger_transactions" USING btree ("account_id","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "memories_name" ON "memories" USING btree ("account_id","space","name") WHERE name is not null;--> statement-breakpoint
CREATE INDEX "memories_list" ON "memories" USING btree ("account_id","space","id");--> statement-breakpoint
CREATE INDEX "memories_words" ON "memories" USING gin ("space","words","tags");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_slug" ON "projects" USING btree ("account_id","slug");--> statement-breakpoint
CREATE VIEW "public"."audit_events" AS (
  select account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted, resource, outcome, status,
    error_code, request_id, project_id, end_user_id, ip, user_agent, duration_ms, charged_credits, secret_version,
    sequence, previous_hash, hash
  from audit_chain
  union all
  select account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted, resource, outcome, status,
    error_code, request_id, project_id, end_user_id, ip, user_agent, duration_ms, charged_credits, secret_version,
    null, null, null
  from audit_pending);
--> statement-breakpoint
CREATE TABLE "idempotency_records_0" PARTITION OF "idempotency_records" FOR VALUES WITH (MODULUS 4, REMAINDER 0);
--> statement-breakpoint
CREATE TABLE "idempotency_records_1" PARTITION OF "idempotency_records" FOR VALUES WITH (MODULUS 4, REMAINDER 1);
--> statement-breakpoint
CREATE TABLE "idempotency_records_2" PARTITION OF "idempotency_records" FOR VALUES WITH (MODULUS 4, REMAINDER 2);
--> statement-breakpoint
CREATE TABLE "idempotency_records_3" PARTITION OF "idempotency_records" FOR VALUES WITH (MODULUS 4, REMAINDER 3);
--> statement-breakpoint
ALTER TABLE "gates" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
--> statement-breakpoint
ALTER TABLE "api_keys" SET (fillfactor = 85);
--> statement-breakpoint
ALTER TABLE "key_days" SET (fillfactor = 50), ADD CONSTRAINT "key_days_used" CHECK ("used" >= 0);
--> statement-breakpoint
ALTER TABLE "ledger_accounts" SET (fillfactor = 50),
  ADD CONSTRAINT "ledger_accounts_held" CHECK ("held" >= 0),
  ADD CONSTRAINT "ledger_accounts_floor" CHECK ("book" <> 'customer' OR "posted" - "held" >= 0);
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_amount" CHECK ("amount" <> 0);
--> statement-breakpoint
ALTER TABLE "ledger_holds" ADD CONSTRAINT "ledger_holds_amount" CHECK ("amount" > 0 AND "captured" BETWEEN 0 AND "amount");
--> statement-breakpoint
CREATE FUNCTION "ledger_balanced"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount) FROM ledger_entries WHERE account_id = new.account_id AND transaction_id = new.transaction_id) <> 0 THEN
    RAISE 'Ledger transaction % does not sum to zero.', new.transaction_id;
  END IF;
  RETURN null;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "ledger_entries_balanced" AFTER INSERT ON "ledger_entries"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "ledger_balanced"();
--> statement-breakpoint
CREATE FUNCTION "append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE '% is append-only.', tg_table_name;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE ON "ledger_entries"
  FOR EACH ROW EXECUTE FUNCTION "append_only"();
--> statement-breakpoint
CREATE TRIGGER "ledger_transactions_append_only" BEFORE UPDATE OR DELETE ON "ledger_transactions"
  FOR EACH ROW EXECUTE FUNCTION "append_only"();
--> statement-breakpoint
CREATE TABLE "audit_chain_rest" PARTITION OF "audit_chain" DEFAULT;
--> statement-breakpoint
ALTER TABLE "audit_pending" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0);
--> statement-breakpoint
ALTER TABLE "audit_heads" SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE "usage_hours" SET (fillfactor = 70);
