CREATE TABLE "order_fills" (
	"account_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"transaction_hash" text NOT NULL,
	"price" numeric NOT NULL,
	"quantity" numeric NOT NULL,
	"value" numeric NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_fills_account_id_order_id_transaction_id_pk" PRIMARY KEY("account_id","order_id","transaction_id")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"wallet_id" uuid NOT NULL,
	"quote_id" uuid NOT NULL,
	"client_reference" text,
	"symbol" text NOT NULL,
	"network" text NOT NULL,
	"base" text NOT NULL,
	"counter" text NOT NULL,
	"side" text NOT NULL,
	"type" text NOT NULL,
	"time_in_force" text NOT NULL,
	"quantity" numeric NOT NULL,
	"limit_price" numeric,
	"slippage_bps" integer,
	"bound_price" numeric NOT NULL,
	"status" text NOT NULL,
	"filled_quantity" numeric DEFAULT '0' NOT NULL,
	"filled_value" numeric DEFAULT '0' NOT NULL,
	"fees" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"transaction_id" uuid,
	"allowance_transaction_id" uuid,
	"executing_quantity" numeric DEFAULT '0' NOT NULL,
	"failed_trades" integer DEFAULT 0 NOT NULL,
	"approval_id" uuid,
	"caller_type" text,
	"caller_id" uuid,
	"key_ids" uuid[] DEFAULT '{}' NOT NULL,
	"request_id" text,
	"held_credits" integer DEFAULT 0 NOT NULL,
	"charged_credits" integer DEFAULT 0 NOT NULL,
	"failure" jsonb,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "orders_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "positions" (
	"account_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"network" text NOT NULL,
	"base" text NOT NULL,
	"quantity" numeric NOT NULL,
	"cost" numeric NOT NULL,
	"realized_pnl" numeric NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "positions_account_id_wallet_id_symbol_pk" PRIMARY KEY("account_id","wallet_id","symbol")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "orders_reference" ON "orders" USING btree ("account_id","wallet_id","client_reference") WHERE client_reference is not null;--> statement-breakpoint
CREATE INDEX "orders_wallet" ON "orders" USING btree ("account_id","wallet_id","id");--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" USING btree ("network","base") WHERE ended_at is null;