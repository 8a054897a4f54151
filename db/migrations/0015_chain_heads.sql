CREATE TABLE "chain_heads" (
	"network" text PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"hash" text NOT NULL,
	"recent" text[] NOT NULL
);
--> statement-breakpoint
CREATE INDEX "wallet_transactions_taken_back" ON "wallet_transactions" USING btree ("network","expires_at") WHERE direction = 'in' and status = 'broadcast' and block_number is null;