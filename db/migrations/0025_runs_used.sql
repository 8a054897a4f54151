ALTER TABLE "runs" ADD COLUMN "used_credits" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "used_units" integer DEFAULT 0 NOT NULL;