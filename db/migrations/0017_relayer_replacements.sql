ALTER TABLE "relayer_orders" ADD COLUMN "destination_block" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "relayer_sends" ADD COLUMN "earlier_hashes" text[] DEFAULT '{}' NOT NULL;