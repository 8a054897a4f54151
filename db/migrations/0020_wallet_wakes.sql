CREATE TABLE "wallet_wakes" (
	"account_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"network" text NOT NULL,
	"since" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "wallet_wakes_account_id_wallet_id_network_pk" PRIMARY KEY("account_id","wallet_id","network")
);
