CREATE TABLE "database_commits" (
	"account_id" uuid NOT NULL,
	"caller_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"name" text NOT NULL,
	"transaction_id" text NOT NULL,
	"answer" "bytea" NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "database_commits_account_id_caller_id_key_pk" PRIMARY KEY("account_id","caller_id","key")
);
--> statement-breakpoint
CREATE TABLE "database_results" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"blob_key" uuid NOT NULL,
	"columns" jsonb NOT NULL,
	"pieces" jsonb NOT NULL,
	"row_count" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "database_results_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "tenant_databases" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"cluster" text NOT NULL,
	"name" text NOT NULL,
	"password" "bytea" NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tenant_databases_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE INDEX "database_results_expires_at" ON "database_results" USING btree ("expires_at");