CREATE TABLE "event_listeners" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"since" bigint NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "position" bigint;--> statement-breakpoint
CREATE INDEX "webhook_events_position" ON "webhook_events" USING btree ("account_id","position") WHERE position is not null;