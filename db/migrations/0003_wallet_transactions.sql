CREATE TABLE "transaction_attempts" (
	"account_id" uuid NOT NULL,
	"transaction_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"hash" text NOT NULL,
	"raw" "bytea" NOT NULL,
	"max_fee" numeric NOT NULL,
	"priority_fee" numeric NOT NULL,
	"signed_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	CONSTRAINT "transaction_attempts_account_id_transaction_id_attempt_pk" PRIMARY KEY("account_id","transaction_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "wallet_nonces" (
	"account_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"next" bigint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"fence" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "wallet_nonces_account_id_wallet_id_network_pk" PRIMARY KEY("account_id","wallet_id","network")
);
--> statement-breakpoint
CREATE TABLE "wallet_transactions" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"wallet_id" uuid NOT NULL,
	"network" text NOT NULL,
	"direction" text NOT NULL,
	"status" text NOT NULL,
	"from" text NOT NULL,
	"to" text NOT NULL,
	"asset" text NOT NULL,
	"amount" text NOT NULL,
	"data" text,
	"call_to" text,
	"call_value" numeric,
	"call_data" text,
	"gas" bigint,
	"quote_id" uuid,
	"client_reference" text,
	"approval_id" uuid,
	"source_type" text,
	"source_id" text,
	"caller_type" text,
	"caller_id" uuid,
	"key_ids" uuid[] DEFAULT '{}' NOT NULL,
	"request_id" text,
	"held_credits" integer DEFAULT 0 NOT NULL,
	"charged_credits" integer DEFAULT 0 NOT NULL,
	"nonce" bigint,
	"hash" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" jsonb,
	"block_number" bigint,
	"block_hash" text,
	"log_index" integer DEFAULT -1 NOT NULL,
	"reverted" boolean DEFAULT false NOT NULL,
	"confirmations" integer DEFAULT 0 NOT NULL,
	"fee_paid" text,
	"created_at" timestamp (3) with time zone GENERATED ALWAYS AS (uuid_extract_timestamp(id)) STORED NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"signed_at" timestamp (3) with time zone,
	"broadcast_at" timestamp (3) with time zone,
	"confirmed_at" timestamp (3) with time zone,
	"finalized_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "wallet_transactions_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "wallet_nonces_due" ON "wallet_nonces" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "wallet_transactions_wallet" ON "wallet_transactions" USING btree ("account_id","wallet_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_transactions_reference" ON "wallet_transactions" USING btree ("account_id","wallet_id","client_reference") WHERE client_reference is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_transactions_nonce" ON "wallet_transactions" USING btree ("account_id","wallet_id","network","nonce") WHERE direction = 'out' and nonce is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_transactions_incoming" ON "wallet_transactions" USING btree ("account_id","wallet_id","network","hash","log_index") WHERE direction = 'in';--> statement-breakpoint
CREATE INDEX "wallet_transactions_open" ON "wallet_transactions" USING btree ("account_id","wallet_id","network","id") WHERE direction = 'out' and status in ('reserved', 'signed', 'broadcast');--> statement-breakpoint
CREATE INDEX "wallet_transactions_unsettled" ON "wallet_transactions" USING btree ("network","block_number") WHERE block_number is not null and finalized_at is null;--> statement-breakpoint
CREATE INDEX "wallet_transactions_block" ON "wallet_transactions" USING btree ("network","block_number") WHERE direction = 'out' and block_number is not null;