CREATE TABLE "artifacts" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"run_id" uuid NOT NULL,
	"service_id" text NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"blob_key" uuid NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "artifacts_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "loose_blobs" (
	"key" uuid PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "artifacts_run" ON "artifacts" USING btree ("account_id","run_id","id");--> statement-breakpoint
CREATE INDEX "artifacts_expiry" ON "artifacts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "loose_blobs_due" ON "loose_blobs" USING btree ("due_at");
--> statement-breakpoint
CREATE TABLE "connections" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"label" text NOT NULL,
	"provider" text NOT NULL,
	"auth_type" text NOT NULL,
	"allowed_hosts" text[] NOT NULL,
	"header_name" text,
	"username" text,
	"client_id" text,
	"token_url" text,
	"token_scopes" text[],
	"metadata" jsonb NOT NULL,
	"status" text NOT NULL,
	"secret" "bytea" NOT NULL,
	"secret_fingerprint" text NOT NULL,
	"secret_version" integer DEFAULT 1 NOT NULL,
	"rotated_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_error" jsonb,
	"broken_at" timestamp (3) with time zone,
	"token" "bytea",
	"token_expires_at" timestamp (3) with time zone,
	"token_generation" integer DEFAULT 0 NOT NULL,
	"token_lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	CONSTRAINT "connections_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "approval_decisions" (
	"account_id" uuid NOT NULL,
	"approval_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_label" text NOT NULL,
	"chain" uuid[] NOT NULL,
	"member_ids" uuid[] NOT NULL,
	"decision" text NOT NULL,
	"reason" text,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "approval_decisions_account_id_approval_id_place_pk" PRIMARY KEY("account_id","approval_id","place")
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"kind" text NOT NULL,
	"service_id" text NOT NULL,
	"operation_id" text NOT NULL,
	"resource" text,
	"summary" text NOT NULL,
	"reason" text,
	"payload" jsonb,
	"keep_payload" boolean NOT NULL,
	"payload_hash" "bytea" NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_label" text NOT NULL,
	"chain" uuid[] NOT NULL,
	"member_ids" uuid[] NOT NULL,
	"required_approvals" integer NOT NULL,
	"initiator_may_approve" boolean NOT NULL,
	"approvers" text[],
	"run_id" uuid,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"consumed_at" timestamp (3) with time zone,
	CONSTRAINT "approvals_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "approval_decisions_actor" ON "approval_decisions" USING btree ("account_id","approval_id","actor_id");--> statement-breakpoint
CREATE INDEX "approvals_status" ON "approvals" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX "approvals_run" ON "approvals" USING btree ("account_id","run_id") WHERE run_id is not null;--> statement-breakpoint
CREATE INDEX "approvals_open" ON "approvals" USING btree ("expires_at") WHERE status in ('pending', 'approved');
--> statement-breakpoint
CREATE TABLE "event_sequences" (
	"account_id" uuid NOT NULL,
	"resource" text NOT NULL,
	"sequence" bigint NOT NULL,
	CONSTRAINT "event_sequences_account_id_resource_pk" PRIMARY KEY("account_id","resource")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"scope" text NOT NULL,
	"service_id" text,
	"key_id" uuid,
	"account_wide" boolean NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"payload" text NOT NULL,
	CONSTRAINT "outbox_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"scope" text NOT NULL,
	"service_id" text,
	"key_id" uuid,
	"account_wide" boolean NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"payload" text NOT NULL,
	CONSTRAINT "webhook_events_account_id_id_pk" PRIMARY KEY("account_id","id")
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "webhook_health" (
	"account_id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"due_at" timestamp (3) with time zone,
	"claimed_by" text,
	"served_at" timestamp (3) with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"warned_at" timestamp (3) with time zone,
	"last_success_at" timestamp (3) with time zone,
	"last_failure_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_health_account_id_webhook_id_pk" PRIMARY KEY("account_id","webhook_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_history" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"replay_of" uuid,
	"attempts" jsonb DEFAULT '[]' NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"status" text NOT NULL,
	CONSTRAINT "webhook_history_account_id_id_pk" PRIMARY KEY("account_id","id")
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "webhook_queue" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"replay_of" uuid,
	"attempts" jsonb DEFAULT '[]' NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"due_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_queue_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"events" text[] NOT NULL,
	"status" text NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp (3) with time zone,
	"owner_key_id" uuid,
	"created_by_key_id" uuid,
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"previous_secret_expires_at" timestamp (3) with time zone,
	"project_id" uuid,
	"end_user_id" uuid,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhooks_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "outbox_id" ON "outbox" USING btree ("id");--> statement-breakpoint
CREATE INDEX "webhook_health_due" ON "webhook_health" USING btree ("served_at") WHERE due_at is not null and claimed_by is null;--> statement-breakpoint
CREATE INDEX "webhook_health_claimed" ON "webhook_health" USING btree ("claimed_by") WHERE claimed_by is not null;--> statement-breakpoint
CREATE INDEX "webhook_history_webhook" ON "webhook_history" USING btree ("account_id","webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_history_event" ON "webhook_history" USING btree ("account_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_history_unsent" ON "webhook_history" USING btree ("account_id","status","id") WHERE status <> 'succeeded';--> statement-breakpoint
CREATE INDEX "webhook_queue_due" ON "webhook_queue" USING btree ("account_id","webhook_id","due_at");--> statement-breakpoint
CREATE INDEX "webhooks_owner" ON "webhooks" USING btree ("account_id","owner_key_id") WHERE owner_key_id is not null;--> statement-breakpoint
CREATE VIEW "public"."webhook_deliveries" AS (
  select account_id, id, webhook_id, event_id, event, replay_of, attempts, project_id, end_user_id, status, null::timestamptz(3) as next_attempt_at
  from webhook_history
  union all
  select account_id, id, webhook_id, event_id, event, replay_of, attempts, project_id, end_user_id, 'pending', due_at
  from webhook_queue);
--> statement-breakpoint
CREATE TABLE "webhook_events_rest" PARTITION OF "webhook_events" DEFAULT;
--> statement-breakpoint
CREATE TABLE "webhook_history_rest" PARTITION OF "webhook_history" DEFAULT;
--> statement-breakpoint
ALTER TABLE "webhook_health" SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE "outbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0);
--> statement-breakpoint
ALTER TABLE "webhook_queue" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_cost_delay = 0);
--> statement-breakpoint
CREATE FUNCTION "webhook_queue_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Locked in one order, so that two transactions that queue for the same endpoints do not wait for each other.
  PERFORM FROM webhook_health h WHERE (h.account_id, h.webhook_id) IN (SELECT account_id, webhook_id FROM queued)
  ORDER BY h.webhook_id FOR NO KEY UPDATE;
  UPDATE webhook_health h SET due_at = q.due_at
  FROM (SELECT account_id, webhook_id, min(due_at) AS due_at FROM queued GROUP BY account_id, webhook_id) q
  WHERE h.account_id = q.account_id AND h.webhook_id = q.webhook_id AND (h.due_at IS NULL OR h.due_at > q.due_at);
  RETURN null;
END $$;
--> statement-breakpoint
CREATE TRIGGER "webhook_queue_due" AFTER INSERT ON "webhook_queue" REFERENCING NEW TABLE AS queued
  FOR EACH STATEMENT EXECUTE FUNCTION "webhook_queue_due"();
--> statement-breakpoint
DROP INDEX "approvals_open";--> statement-breakpoint
CREATE INDEX "approvals_open" ON "approvals" USING btree ("expires_at") WHERE status = 'pending' or status = 'approved' and kind = 'service_action';
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expiring_told_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "api_keys_expiring" ON "api_keys" USING btree ("expires_at") WHERE expires_at is not null and revoked_at is null and expiring_told_at is null;
--> statement-breakpoint
CREATE TABLE "database_commits" (
	"account_id" uuid NOT NULL,
	"caller_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"name" text NOT NULL,
	"transaction_id" text NOT NULL,
	"answer" "bytea" NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "database_commits_account_id_caller_id_key_pk" PRIMARY KEY("account_id","caller_id","key")
);
--> statement-breakpoint
CREATE TABLE "database_results" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"blob_key" uuid NOT NULL,
	"columns" jsonb NOT NULL,
	"pieces" jsonb NOT NULL,
	"row_count" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "database_results_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "tenant_databases" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"cluster" text NOT NULL,
	"name" text NOT NULL,
	"password" "bytea" NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tenant_databases_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE INDEX "database_results_expires_at" ON "database_results" USING btree ("expires_at");
--> statement-breakpoint
CREATE TABLE "run_steps" (
	"account_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"output" "bytea",
	"wake_at" timestamp (3) with time zone,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "run_steps_account_id_run_id_name_pk" PRIMARY KEY("account_id","run_id","name")
) PARTITION BY RANGE ("run_id");
--> statement-breakpoint
CREATE TABLE "run_timeline" (
	"account_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"type" text NOT NULL,
	"step" text,
	"level" text NOT NULL,
	"message" text NOT NULL,
	"data" jsonb,
	CONSTRAINT "run_timeline_account_id_run_id_seq_pk" PRIMARY KEY("account_id","run_id","seq")
) PARTITION BY RANGE ("run_id");
--> statement-breakpoint
CREATE TABLE "runs" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"service_id" text NOT NULL,
	"operation_id" text NOT NULL,
	"status" text NOT NULL,
	"input" "bytea",
	"result" "bytea",
	"error" jsonb,
	"progress" double precision,
	"attempt" integer DEFAULT 0 NOT NULL,
	"max_attempts" integer NOT NULL,
	"connection_id" uuid,
	"caller_type" text NOT NULL,
	"caller_id" uuid NOT NULL,
	"key_ids" uuid[] NOT NULL,
	"privacy_tier" text NOT NULL,
	"request_id" text NOT NULL,
	"held_credits" bigint NOT NULL,
	"charged_credits" bigint DEFAULT 0 NOT NULL,
	"worker" text,
	"fence" integer DEFAULT 0 NOT NULL,
	"logged" integer DEFAULT 0 NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	"ready_at" timestamp (3) with time zone,
	"wake_at" timestamp (3) with time zone,
	"woken" boolean DEFAULT false NOT NULL,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"started_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "runs_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "runs_ready" ON "runs" USING btree ("account_id","ready_at") WHERE ready_at is not null;--> statement-breakpoint
CREATE INDEX "runs_wake" ON "runs" USING btree ("wake_at") WHERE wake_at is not null;--> statement-breakpoint
CREATE INDEX "runs_worker" ON "runs" USING btree ("worker") WHERE worker is not null;--> statement-breakpoint
CREATE INDEX "runs_live" ON "runs" USING btree ("account_id","id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "runs_expiry" ON "runs" USING btree ("expires_at") WHERE finished_at is null;
--> statement-breakpoint
CREATE TABLE "run_steps_rest" PARTITION OF "run_steps" DEFAULT;
--> statement-breakpoint
CREATE TABLE "run_timeline_rest" PARTITION OF "run_timeline" DEFAULT;
--> statement-breakpoint
ALTER TABLE "runs" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0);
--> statement-breakpoint
CREATE TABLE "service_calls" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"hold_id" uuid,
	"approval_id" uuid,
	"began_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "service_calls_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "idempotency_records" ADD COLUMN "effect_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
CREATE INDEX "service_calls_began_at" ON "service_calls" USING btree ("began_at");
--> statement-breakpoint
DROP INDEX "webhook_health_due";--> statement-breakpoint
CREATE INDEX "webhook_health_due" ON "webhook_health" USING btree ("due_at") WHERE due_at is not null and claimed_by is null;--> statement-breakpoint
ALTER TABLE "webhook_health" DROP COLUMN "served_at";
--> statement-breakpoint
CREATE TABLE "database_transfer_parts" (
	"account_id" uuid NOT NULL,
	"transfer_id" uuid NOT NULL,
	"part_number" integer NOT NULL,
	"blob_key" uuid NOT NULL,
	"size_bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	CONSTRAINT "database_transfer_parts_account_id_transfer_id_part_number_pk" PRIMARY KEY("account_id","transfer_id","part_number")
);
--> statement-breakpoint
CREATE TABLE "database_transfers" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"direction" text NOT NULL,
	"status" text NOT NULL,
	"dry_run" boolean DEFAULT false NOT NULL,
	"final" boolean DEFAULT false NOT NULL,
	"transaction_id" text,
	"difference" jsonb,
	"archive" jsonb,
	"error" jsonb,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	CONSTRAINT "database_transfers_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "database_transfers_open" ON "database_transfers" USING btree ("expires_at") WHERE status not in ('completed', 'failed', 'cancelled', 'expired');
--> statement-breakpoint
CREATE TABLE "files" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"name" text NOT NULL,
	"name_hash" uuid GENERATED ALWAYS AS (md5(name)::uuid) STORED,
	"media_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"purpose" text,
	"blob_key" uuid NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	CONSTRAINT "files_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "files_name" ON "files" USING btree ("account_id","name_hash","id");--> statement-breakpoint
CREATE INDEX "files_purpose" ON "files" USING btree ("account_id","purpose","id");--> statement-breakpoint
CREATE INDEX "files_project" ON "files" USING btree ("account_id","project_id","id");--> statement-breakpoint
CREATE INDEX "files_end_user" ON "files" USING btree ("account_id","end_user_id","id");
--> statement-breakpoint
CREATE TABLE "run_announcements" (
	"account_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	CONSTRAINT "run_announcements_account_id_run_id_seq_pk" PRIMARY KEY("account_id","run_id","seq")
);
--> statement-breakpoint
ALTER TABLE "approvals" ADD COLUMN "sealed_payload" "bytea";
--> statement-breakpoint
CREATE INDEX "runs_purge" ON "runs" USING btree ("finished_at") WHERE privacy_tier <> 'standard' and (input is not null or result is not null);
