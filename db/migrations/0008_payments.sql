CREATE TABLE "payments" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"effect_id" uuid NOT NULL,
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"payer" text NOT NULL,
	"nonce" text NOT NULL,
	"pay_to" text NOT NULL,
	"units" text NOT NULL,
	"cents" integer NOT NULL,
	"valid_before" timestamp (3) with time zone NOT NULL,
	"from_block" bigint NOT NULL,
	"state" text NOT NULL,
	"transaction_hash" text,
	"log_index" integer,
	"receipt_id" uuid,
	"receipt" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "payments_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE TABLE "receipt_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"jwk" jsonb NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "payments_authorization" ON "payments" USING btree ("network","asset","payer","nonce");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_transfer" ON "payments" USING btree ("network","transaction_hash","log_index");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_receipt" ON "payments" USING btree ("receipt_id");--> statement-breakpoint
CREATE INDEX "payments_effect" ON "payments" USING btree ("account_id","effect_id");