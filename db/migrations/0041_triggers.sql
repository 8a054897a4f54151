CREATE TABLE "trigger_ticks" (
	"account_id" uuid NOT NULL,
	"trigger_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"try_at" timestamp (3) with time zone,
	"run_id" uuid,
	"error" jsonb,
	CONSTRAINT "trigger_ticks_account_id_trigger_id_at_pk" PRIMARY KEY("account_id","trigger_id","at")
);
--> statement-breakpoint
CREATE TABLE "triggers" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"space" uuid NOT NULL,
	"name" text NOT NULL,
	"schedule" jsonb NOT NULL,
	"service_id" text NOT NULL,
	"operation_id" text NOT NULL,
	"start" text NOT NULL,
	"overlap" text NOT NULL,
	"catch_up_seconds" integer NOT NULL,
	"jitter_seconds" integer NOT NULL,
	"pause_after_failures" integer,
	"workflow_id" uuid,
	"workflow_version" integer,
	"caller_type" text NOT NULL,
	"caller_id" uuid NOT NULL,
	"paused_reason" text,
	"anchor_at" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"ready_at" timestamp (3) with time zone,
	"claimed_by" text,
	"fence" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_run_id" uuid,
	"last_error" jsonb,
	"needed_credits" bigint,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "triggers_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "trigger_id" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "scheduled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "starts_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "delayed_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "trigger_ticks_waiting" ON "trigger_ticks" USING btree ("account_id","trigger_id","try_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "trigger_ticks_old" ON "trigger_ticks" USING btree ("at") WHERE state <> 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "triggers_name" ON "triggers" USING btree ("account_id","space","name");--> statement-breakpoint
CREATE INDEX "triggers_list" ON "triggers" USING btree ("account_id","space","id");--> statement-breakpoint
CREATE INDEX "triggers_next" ON "triggers" USING btree ("account_id","next_at") WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX "triggers_due" ON "triggers" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "triggers_ready" ON "triggers" USING btree ("account_id","ready_at") WHERE ready_at is not null;--> statement-breakpoint
CREATE INDEX "triggers_claimed" ON "triggers" USING btree ("claimed_by") WHERE claimed_by is not null;--> statement-breakpoint
CREATE INDEX "triggers_owner" ON "triggers" USING btree ("account_id","caller_id");--> statement-breakpoint
CREATE INDEX "triggers_unfunded" ON "triggers" USING btree ("account_id","needed_credits") WHERE paused_reason = 'no_credits';--> statement-breakpoint
CREATE INDEX "triggers_workflow" ON "triggers" USING btree ("account_id","workflow_id","workflow_version") WHERE workflow_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_trigger" ON "runs" USING btree ("account_id","trigger_id","scheduled_at") WHERE trigger_id is not null;--> statement-breakpoint
CREATE INDEX "runs_triggered" ON "runs" USING btree ("account_id","trigger_id","id") WHERE trigger_id is not null;--> statement-breakpoint
CREATE INDEX "runs_trigger_live" ON "runs" USING btree ("account_id","trigger_id") WHERE trigger_id is not null and finished_at is null;--> statement-breakpoint
CREATE INDEX "runs_delayed" ON "runs" USING btree ("delayed_until") WHERE delayed_until is not null;