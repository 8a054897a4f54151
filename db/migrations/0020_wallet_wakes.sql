CREATE TABLE "wallet_wakes" (
	"account_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"network" text NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "wallet_wakes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "wallet_wakes_account_id_wallet_id_network_id_pk" PRIMARY KEY("account_id","wallet_id","network","id")
);
