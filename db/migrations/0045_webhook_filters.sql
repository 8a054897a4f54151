DROP VIEW "public"."webhook_deliveries";--> statement-breakpoint
ALTER TABLE "webhook_history" ADD COLUMN "thin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_queue" ADD COLUMN "thin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "filter" jsonb;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "filter_path" jsonpath;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "payload" text DEFAULT 'full' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "headers" "bytea";--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "header_names" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE VIEW "public"."webhook_deliveries" AS (
  select account_id, id, webhook_id, event_id, event, replay_of, thin, attempts, project_id, end_user_id, status, null::timestamptz(3) as next_attempt_at
  from webhook_history
  union all
  select account_id, id, webhook_id, event_id, event, replay_of, thin, attempts, project_id, end_user_id, 'pending', due_at
  from webhook_queue);