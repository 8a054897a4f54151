ALTER TABLE "slot_signals" ADD COLUMN "first_place" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "event_room" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "slot_signals_order" ON "slot_signals" USING btree ("account_id","first_place");