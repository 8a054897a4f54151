DROP INDEX "webhook_health_due";--> statement-breakpoint
CREATE INDEX "webhook_health_due" ON "webhook_health" USING btree ("due_at") WHERE due_at is not null and claimed_by is null;--> statement-breakpoint
ALTER TABLE "webhook_health" DROP COLUMN "served_at";