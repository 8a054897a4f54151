CREATE TABLE "inbound_webhooks" (
	"account_id" uuid NOT NULL,
	"trigger_id" uuid NOT NULL,
	"scheme" text NOT NULL,
	"header_name" text,
	"secret" "bytea",
	"secret_fingerprint" text,
	"requests_per_minute" integer NOT NULL,
	"token_hash" text NOT NULL,
	"token" "bytea" NOT NULL,
	"previous_token_hash" text,
	"previous_until" timestamp (3) with time zone,
	"rejected" bigint DEFAULT 0 NOT NULL,
	"minute" timestamp (3) with time zone,
	"taken" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "inbound_webhooks_account_id_trigger_id_pk" PRIMARY KEY("account_id","trigger_id")
);
--> statement-breakpoint
ALTER TABLE "sent_events" ADD COLUMN "headers" "bytea";--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_webhooks_token" ON "inbound_webhooks" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "inbound_webhooks_previous" ON "inbound_webhooks" USING btree ("previous_token_hash") WHERE previous_token_hash is not null;