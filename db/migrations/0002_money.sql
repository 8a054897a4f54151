CREATE TABLE "asset_prices" (
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"spot_usd" numeric NOT NULL,
	"average_usd" numeric NOT NULL,
	"observed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "asset_prices_network_asset_pk" PRIMARY KEY("network","asset")
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"kind" text NOT NULL,
	"wallet_id" uuid NOT NULL,
	"shown" jsonb NOT NULL,
	"plan" jsonb NOT NULL,
	"used_by" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	CONSTRAINT "quotes_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"label" text NOT NULL,
	"address" text NOT NULL,
	"sealed_key" "bytea" NOT NULL,
	"kek_id" text NOT NULL,
	"status" text NOT NULL,
	"policy" jsonb NOT NULL,
	"policy_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	CONSTRAINT "wallets_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_address" ON "wallets" USING btree ("address");