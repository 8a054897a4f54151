CREATE TABLE "callbacks" (
	"account_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"step" text NOT NULL,
	"attempt" integer NOT NULL,
	"nonce" text NOT NULL,
	"token_hash" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"heartbeat_seconds" integer,
	"heartbeat_at" timestamp (3) with time zone,
	"progress" double precision,
	"message" text,
	"digest" text,
	"answer" "bytea",
	"failed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "callbacks_account_id_run_id_step_attempt_pk" PRIMARY KEY("account_id","run_id","step","attempt")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "callbacks_token" ON "callbacks" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "callbacks_old" ON "callbacks" USING btree ("at");--> statement-breakpoint
CREATE INDEX "callbacks_answers" ON "callbacks" USING btree ("account_id","run_id") WHERE answer is not null;