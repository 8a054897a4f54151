ALTER TABLE "order_fills" ALTER COLUMN "transaction_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "order_fills" ALTER COLUMN "price" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "swap_routes" ADD COLUMN "source_block_hash" text;--> statement-breakpoint
ALTER TABLE "swap_routes" ADD COLUMN "destination_block_hash" text;--> statement-breakpoint
ALTER TABLE "order_fills" ADD COLUMN "allowance_transaction_id" uuid;--> statement-breakpoint
ALTER TABLE "order_fills" ADD COLUMN "block_hash" text;--> statement-breakpoint
ALTER TABLE "order_fills" ADD COLUMN "network_fee" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
UPDATE "order_fills" f SET "block_hash" = t."block_hash" FROM "wallet_transactions" t
WHERE t."account_id" = f."account_id" AND t."id" = f."transaction_id";
