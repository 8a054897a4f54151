CREATE TABLE "run_ends" (
	"account_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	CONSTRAINT "run_ends_account_id_run_id_pk" PRIMARY KEY("account_id","run_id")
);
--> statement-breakpoint
CREATE TABLE "workflow_versions" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"digest" text NOT NULL,
	"definition" text NOT NULL,
	"input_schema" text,
	"description" text,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_label" text NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	CONSTRAINT "workflow_versions_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"space" uuid NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"archived_at" timestamp (3) with time zone,
	CONSTRAINT "workflows_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "depth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "workflow_id" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "workflow_name" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "workflow_version" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_versions_version" ON "workflow_versions" USING btree ("account_id","workflow_id","version");--> statement-breakpoint
CREATE INDEX "workflow_versions_list" ON "workflow_versions" USING btree ("account_id","workflow_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "workflows_name" ON "workflows" USING btree ("account_id","space","name");--> statement-breakpoint
CREATE INDEX "workflows_list" ON "workflows" USING btree ("account_id","space","id");--> statement-breakpoint
CREATE INDEX "runs_workflow" ON "runs" USING btree ("account_id","workflow_id","workflow_version","id") WHERE workflow_id is not null;--> statement-breakpoint
CREATE INDEX "runs_workflow_live" ON "runs" USING btree ("account_id","workflow_id","workflow_version") WHERE workflow_id is not null and finished_at is null;