ALTER TABLE "ledger_holds" ADD COLUMN "price_version" text;--> statement-breakpoint
ALTER TABLE "ledger_holds" ADD COLUMN "project_id" uuid;