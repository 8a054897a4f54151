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
