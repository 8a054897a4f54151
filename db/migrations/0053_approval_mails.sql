ALTER TABLE "members" ADD COLUMN "approval_mails" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "approvals_mailed_at" timestamp (3) with time zone;