CREATE TABLE "contacts" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"space" uuid NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"note" text,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contacts_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_address" ON "contacts" USING btree ("account_id","space","address");--> statement-breakpoint
CREATE INDEX "contacts_name_parts" ON "contacts" USING gin ("account_id","name" gin_trgm_ops) WHERE "contacts"."name" is not null;--> statement-breakpoint
CREATE INDEX "contacts_name_whole" ON "contacts" USING btree ("account_id",lower(left("name", 200))) WHERE "contacts"."name" is not null;--> statement-breakpoint
CREATE INDEX "wallet_transactions_to" ON "wallet_transactions" USING btree ("account_id","to","id") WHERE direction = 'out';--> statement-breakpoint
CREATE INDEX "wallet_transactions_source" ON "wallet_transactions" USING btree ("account_id","source_id","id") WHERE source_id is not null;