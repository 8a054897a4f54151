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