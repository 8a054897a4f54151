CREATE TABLE "run_announcements" (
	"account_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	CONSTRAINT "run_announcements_account_id_run_id_seq_pk" PRIMARY KEY("account_id","run_id","seq")
);
