ALTER TABLE "runs" ADD COLUMN "keeps_events" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "event_waits" ADD COLUMN "of_platform" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "runs_keeping" ON "runs" USING btree ("account_id") WHERE keeps_events and finished_at is null;--> statement-breakpoint
CREATE INDEX "event_waits_platform" ON "event_waits" USING btree ("account_id","name") WHERE event_id is null and of_platform;