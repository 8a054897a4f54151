CREATE TABLE "asset_price_samples" (
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"observed_at" timestamp (3) with time zone NOT NULL,
	"spot_usd" numeric NOT NULL,
	CONSTRAINT "asset_price_samples_network_asset_observed_at_pk" PRIMARY KEY("network","asset","observed_at")
);
