CREATE TABLE "usage_status_hours" (
	"account_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"operation" text NOT NULL,
	"selector" text NOT NULL,
	"actor_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"end_user_id" uuid NOT NULL,
	"actor_type" text NOT NULL,
	"requests" integer NOT NULL,
	"errors" integer NOT NULL,
	"limited" integer NOT NULL,
	"charged_credits" bigint NOT NULL,
	"histogram" integer[] NOT NULL,
	"status" integer NOT NULL,
	CONSTRAINT "usage_status_hours_account_id_hour_operation_selector_actor_id_project_id_end_user_id_status_pk" PRIMARY KEY("account_id","hour","operation","selector","actor_id","project_id","end_user_id","status")
);
