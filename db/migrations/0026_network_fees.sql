ALTER TABLE "cap_days" ALTER COLUMN "used_usd" SET DEFAULT '0';--> statement-breakpoint
ALTER TABLE "cap_days" ADD COLUMN "fees_usd" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "fund_reservations" ADD COLUMN "fee_usd" numeric;--> statement-breakpoint
ALTER TABLE "fund_reservations" ADD COLUMN "fee_counted_usd" numeric;--> statement-breakpoint
ALTER TABLE "fund_reservations" ADD COLUMN "fee_day" date;--> statement-breakpoint
ALTER TABLE "asset_prices" ADD COLUMN "reliable" boolean DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE "wallets" SET "policy" = '{"maxNetworkFeeUsd": null, "dailyNetworkFeeUsd": null}'::jsonb || "policy";
