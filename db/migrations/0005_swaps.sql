CREATE TABLE "relayer_heads" (
	"network" text PRIMARY KEY NOT NULL,
	"block" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "relayer_orders" (
	"id" text PRIMARY KEY NOT NULL,
	"origin_network" text NOT NULL,
	"destination_network" text NOT NULL,
	"order" jsonb NOT NULL,
	"status" text NOT NULL,
	"delivered" numeric,
	"reason" text,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "relayer_sends" (
	"network" text NOT NULL,
	"nonce" bigint NOT NULL,
	"order_id" text NOT NULL,
	"purpose" text NOT NULL,
	"hash" text NOT NULL,
	"raw" "bytea" NOT NULL,
	"status" text NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "relayer_sends_network_nonce_pk" PRIMARY KEY("network","nonce")
);
--> statement-breakpoint
CREATE TABLE "swap_routes" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"swap_id" uuid,
	"status" text NOT NULL,
	"sender" text NOT NULL,
	"recipient" text NOT NULL,
	"from" jsonb NOT NULL,
	"to" jsonb NOT NULL,
	"call" jsonb NOT NULL,
	"next_block" bigint NOT NULL,
	"source_transaction_hash" text,
	"destination_transaction_hash" text,
	"received" text,
	"order_id" text,
	"order" jsonb,
	"destination_block" bigint,
	"failure" jsonb,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "swap_routes_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "swaps" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"wallet_id" uuid NOT NULL,
	"quote_id" uuid NOT NULL,
	"route_id" uuid,
	"status" text NOT NULL,
	"from" jsonb NOT NULL,
	"to" jsonb NOT NULL,
	"received" text,
	"fees" jsonb NOT NULL,
	"transactions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"allowance_transaction_id" uuid,
	"source_transaction_id" uuid,
	"refund_transaction_id" uuid,
	"approval_id" uuid,
	"caller_type" text NOT NULL,
	"caller_id" uuid NOT NULL,
	"key_ids" uuid[] NOT NULL,
	"request_id" text NOT NULL,
	"held_credits" integer NOT NULL,
	"charged_credits" integer DEFAULT 0 NOT NULL,
	"failure" jsonb,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "swaps_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "relayer_orders_due" ON "relayer_orders" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "relayer_sends_once" ON "relayer_sends" USING btree ("order_id","purpose") WHERE status in ('signed', 'done');--> statement-breakpoint
CREATE INDEX "relayer_sends_open" ON "relayer_sends" USING btree ("network","nonce") WHERE status = 'signed';--> statement-breakpoint
CREATE UNIQUE INDEX "swap_routes_order" ON "swap_routes" USING btree ("order_id") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "swap_routes_open" ON "swap_routes" USING btree (("from" ->> 'network')) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "swaps_wallet" ON "swaps" USING btree ("account_id","wallet_id","id");--> statement-breakpoint
CREATE INDEX "swaps_open" ON "swaps" USING btree ("account_id","id") WHERE ended_at is null;