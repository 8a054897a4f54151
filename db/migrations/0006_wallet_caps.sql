CREATE TABLE "cap_days" (
	"account_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"day" date NOT NULL,
	"used_usd" numeric NOT NULL,
	CONSTRAINT "cap_days_account_id_wallet_id_day_pk" PRIMARY KEY("account_id","wallet_id","day")
);
--> statement-breakpoint
CREATE TABLE "cap_reservations" (
	"account_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"wallet_id" uuid NOT NULL,
	"day" date NOT NULL,
	"value_usd" numeric NOT NULL,
	CONSTRAINT "cap_reservations_account_id_subject_pk" PRIMARY KEY("account_id","subject")
);
--> statement-breakpoint
CREATE INDEX "cap_reservations_day" ON "cap_reservations" USING btree ("day");