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