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