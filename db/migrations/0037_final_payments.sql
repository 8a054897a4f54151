ALTER TABLE "payments" ADD COLUMN "transfer" jsonb;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "finalized_at" timestamp (3) with time zone;