CREATE EXTENSION IF NOT EXISTS btree_gin;
--> statement-breakpoint
CREATE TABLE "memories" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"space" uuid NOT NULL,
	"name" text,
	"content" text NOT NULL,
	"tags" text[] NOT NULL,
	"metadata" jsonb NOT NULL,
	"words" "tsvector" NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memories_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "memories_name" ON "memories" USING btree ("account_id","space","name") WHERE name is not null;--> statement-breakpoint
CREATE INDEX "memories_list" ON "memories" USING btree ("account_id","space","id");--> statement-breakpoint
CREATE INDEX "memories_words" ON "memories" USING gin ("space","words","tags");