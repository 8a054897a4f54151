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
