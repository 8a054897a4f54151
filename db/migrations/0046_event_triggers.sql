ALTER TABLE "triggers" ALTER COLUMN "schedule" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "trigger_depth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sent_events" ADD COLUMN "started" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trigger_ticks" ADD COLUMN "event_id" uuid;--> statement-breakpoint
ALTER TABLE "trigger_ticks" ADD COLUMN "depth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "event" text;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "conditions" jsonb;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "of_platform" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "depth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "trigger_ticks_event" ON "trigger_ticks" USING btree ("account_id","trigger_id","event_id") WHERE event_id is not null;--> statement-breakpoint
CREATE INDEX "triggers_event" ON "triggers" USING btree ("account_id","space","event") WHERE event is not null;--> statement-breakpoint
CREATE INDEX "triggers_platform" ON "triggers" USING btree ("account_id","event") WHERE of_platform;