CREATE TABLE "signatures" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"wallet_id" uuid NOT NULL,
	"quote_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb,
	"payload_hash" text NOT NULL,
	"display" jsonb NOT NULL,
	"status" text NOT NULL,
	"signature" text,
	"failure" jsonb,
	"approval_id" uuid,
	"caller_type" text NOT NULL,
	"caller_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "signatures_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "signatures_wallet" ON "signatures" USING btree ("account_id","wallet_id","id");