CREATE TABLE "service_calls" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"hold_id" uuid,
	"approval_id" uuid,
	"began_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "service_calls_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
ALTER TABLE "idempotency_records" ADD COLUMN "effect_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
CREATE INDEX "service_calls_began_at" ON "service_calls" USING btree ("began_at");