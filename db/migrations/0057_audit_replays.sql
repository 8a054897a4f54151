DROP VIEW "public"."audit_events";--> statement-breakpoint
ALTER TABLE "audit_chain" ADD COLUMN "replay_of" text;--> statement-breakpoint
ALTER TABLE "audit_pending" ADD COLUMN "replay_of" text;--> statement-breakpoint
CREATE VIEW "public"."audit_events" AS (
  select account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted, resource, outcome, status,
    error_code, request_id, project_id, end_user_id, ip, user_agent, duration_ms, charged_credits, secret_version,
    refusal, replay_of, sequence, previous_hash, hash
  from audit_chain
  union all
  select account_id, id, at, actor_type, actor_id, actor_label, operation, selector, counted, resource, outcome, status,
    error_code, request_id, project_id, end_user_id, ip, user_agent, duration_ms, charged_credits, secret_version,
    refusal, replay_of, null, null, null
  from audit_pending);