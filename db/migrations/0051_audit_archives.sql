CREATE TABLE "audit_archives" (
	"account_id" uuid NOT NULL,
	"first_sequence" bigint NOT NULL,
	"last_sequence" bigint NOT NULL,
	"first_id" uuid NOT NULL,
	"last_id" uuid NOT NULL,
	"blob_key" uuid NOT NULL,
	"size_bytes" integer NOT NULL,
	"sha256" "bytea" NOT NULL,
	"facets" text[] NOT NULL,
	"requests" "bytea" NOT NULL,
	CONSTRAINT "audit_archives_account_id_first_sequence_pk" PRIMARY KEY("account_id","first_sequence")
);
--> statement-breakpoint
CREATE TABLE "audit_person_keys" (
	"account_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"key" "bytea" NOT NULL,
	CONSTRAINT "audit_person_keys_account_id_person_id_pk" PRIMARY KEY("account_id","person_id")
);
--> statement-breakpoint
ALTER TABLE "audit_heads" ADD COLUMN "archived_sequence" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_archives_time" ON "audit_archives" USING btree ("account_id","last_id");