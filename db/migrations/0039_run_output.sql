CREATE UNLOGGED TABLE "run_output" (
	"account_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"offset" integer NOT NULL,
	"step" text NOT NULL,
	"text" "bytea" NOT NULL,
	CONSTRAINT "run_output_account_id_run_id_seq_offset_pk" PRIMARY KEY("account_id","run_id","seq","offset")
);
