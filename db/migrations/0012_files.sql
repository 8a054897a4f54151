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