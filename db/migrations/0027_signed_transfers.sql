ALTER TABLE "fund_reservations" ADD COLUMN "nonce" text;--> statement-breakpoint
ALTER TABLE "fund_reservations" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "fund_reservations" ADD COLUMN "released_block" integer;--> statement-breakpoint
CREATE INDEX "fund_reservations_authorizations" ON "fund_reservations" USING btree ("network","released_block") WHERE "fund_reservations"."nonce" is not null;