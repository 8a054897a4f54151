CREATE TABLE "oauth_clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"auth_method" text NOT NULL,
	"secret_hash" "bytea",
	"granted" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_grants" (
	"account_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"member_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"client_name" text NOT NULL,
	"host" text,
	"resource" text NOT NULL,
	"declined" text[] NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"rotated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"challenged_at" timestamp (3) with time zone,
	"challenged_until" timestamp (3) with time zone,
	"end_told" boolean DEFAULT false NOT NULL,
	CONSTRAINT "oauth_grants_account_id_key_id_pk" PRIMARY KEY("account_id","key_id")
);
--> statement-breakpoint
CREATE TABLE "oauth_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app" jsonb NOT NULL,
	"redirect_uri" text NOT NULL,
	"state" text,
	"scopes" text[] NOT NULL,
	"resource" text NOT NULL,
	"code_challenge" text NOT NULL,
	"ip" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"decided_at" timestamp (3) with time zone,
	"account_id" uuid,
	"member_id" uuid,
	"policy" jsonb,
	"code_hash" "bytea",
	"redeemed_at" timestamp (3) with time zone,
	"key_id" uuid
);
--> statement-breakpoint
CREATE TABLE "oauth_tokens" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"generation" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "oauth_clients_created_at" ON "oauth_clients" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "oauth_grants_client" ON "oauth_grants" USING btree ("account_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_grants_member" ON "oauth_grants" USING btree ("account_id","member_id");--> statement-breakpoint
CREATE INDEX "oauth_requests_code" ON "oauth_requests" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "oauth_requests_expires_at" ON "oauth_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "oauth_tokens_key" ON "oauth_tokens" USING btree ("account_id","key_id");--> statement-breakpoint
CREATE INDEX "oauth_tokens_expires_at" ON "oauth_tokens" USING btree ("expires_at");