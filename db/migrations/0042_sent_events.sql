CREATE TABLE "event_waits" (
	"account_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"step" text NOT NULL,
	"nth" integer NOT NULL,
	"space" uuid NOT NULL,
	"name" text NOT NULL,
	"key" text,
	"conditions" jsonb,
	"since" timestamp (3) with time zone,
	"at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"event_id" uuid,
	CONSTRAINT "event_waits_account_id_run_id_step_nth_pk" PRIMARY KEY("account_id","run_id","step","nth")
);
--> statement-breakpoint
CREATE TABLE "sent_events" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid,
	"end_user_id" uuid,
	"space" uuid NOT NULL,
	"name" text NOT NULL,
	"key" text,
	"reference" text,
	"data" "bytea" NOT NULL,
	"privacy_tier" text NOT NULL,
	"resumed" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sent_events_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "event_waits_open" ON "event_waits" USING btree ("account_id","space","name","key") WHERE event_id is null;--> statement-breakpoint
CREATE INDEX "sent_events_name" ON "sent_events" USING btree ("account_id","space","name","sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sent_events_reference" ON "sent_events" USING btree ("account_id","space","reference") WHERE reference is not null;--> statement-breakpoint
CREATE INDEX "sent_events_old" ON "sent_events" USING btree ("sent_at");