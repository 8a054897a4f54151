CREATE TABLE "concurrency_keys" (
	"account_id" uuid NOT NULL,
	"space" uuid NOT NULL,
	"key" text NOT NULL,
	"most" integer NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "concurrency_keys_account_id_space_key_pk" PRIMARY KEY("account_id","space","key")
);
--> statement-breakpoint
CREATE TABLE "run_slots" (
	"account_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"key" text NOT NULL,
	"space" uuid NOT NULL,
	"hold" text NOT NULL,
	"state" text NOT NULL,
	"place" timestamp (3) with time zone,
	CONSTRAINT "run_slots_account_id_run_id_key_pk" PRIMARY KEY("account_id","run_id","key")
);
--> statement-breakpoint
CREATE TABLE "slot_signals" (
	"account_id" uuid NOT NULL,
	"id" uuid DEFAULT uuidv7() NOT NULL,
	"space" uuid NOT NULL,
	"key" text NOT NULL,
	"most" integer,
	CONSTRAINT "slot_signals_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "run_tags" (
	"account_id" uuid NOT NULL,
	"tag" text NOT NULL,
	"run_id" uuid NOT NULL,
	CONSTRAINT "run_tags_account_id_tag_run_id_pk" PRIMARY KEY("account_id","tag","run_id")
);
--> statement-breakpoint
DROP INDEX "runs_ready";--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "debounce_space" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "debounce_key" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "debounced_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "priority" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "concurrency" jsonb;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "queued_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "run_slots_line" ON "run_slots" USING btree ("account_id","space","key","state","place","run_id");--> statement-breakpoint
CREATE INDEX "slot_signals_key" ON "slot_signals" USING btree ("account_id","space","key");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_debounced" ON "runs" USING btree ("account_id","debounce_space","service_id","operation_id","debounce_key") WHERE debounce_key is not null and delayed_until is not null;--> statement-breakpoint
CREATE INDEX "runs_ready" ON "runs" USING btree ("account_id",((coalesce(queued_at, ready_at) - timestamptz '2000-01-01 00:00:00+00') - priority * interval '1 minute')) WHERE ready_at is not null;