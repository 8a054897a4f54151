CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "retry_of" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
CREATE INDEX "approvals_summary_parts" ON "approvals" USING gin ("account_id","summary" gin_trgm_ops) WHERE "approvals"."summary" is not null;--> statement-breakpoint
CREATE INDEX "approvals_summary_whole" ON "approvals" USING btree ("account_id",lower(left("summary", 200))) WHERE "approvals"."summary" is not null;--> statement-breakpoint
CREATE INDEX "artifacts_name_parts" ON "artifacts" USING gin ("account_id","name" gin_trgm_ops) WHERE "artifacts"."name" is not null;--> statement-breakpoint
CREATE INDEX "artifacts_name_whole" ON "artifacts" USING btree ("account_id",lower(left("name", 200))) WHERE "artifacts"."name" is not null;--> statement-breakpoint
CREATE INDEX "connections_label_parts" ON "connections" USING gin ("account_id","label" gin_trgm_ops) WHERE "connections"."label" is not null;--> statement-breakpoint
CREATE INDEX "connections_label_whole" ON "connections" USING btree ("account_id",lower(left("label", 200))) WHERE "connections"."label" is not null;--> statement-breakpoint
CREATE INDEX "files_search_parts" ON "files" USING gin ("account_id","name" gin_trgm_ops) WHERE "files"."name" is not null;--> statement-breakpoint
CREATE INDEX "files_search_whole" ON "files" USING btree ("account_id",lower(left("name", 200))) WHERE "files"."name" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_prefix" ON "api_keys" USING btree ("account_id","prefix","id");--> statement-breakpoint
CREATE INDEX "api_keys_label_parts" ON "api_keys" USING gin ("account_id","label" gin_trgm_ops) WHERE "api_keys"."label" is not null;--> statement-breakpoint
CREATE INDEX "api_keys_label_whole" ON "api_keys" USING btree ("account_id",lower(left("label", 200))) WHERE "api_keys"."label" is not null;--> statement-breakpoint
CREATE INDEX "projects_name_parts" ON "projects" USING gin ("account_id","name" gin_trgm_ops) WHERE "projects"."name" is not null;--> statement-breakpoint
CREATE INDEX "projects_name_whole" ON "projects" USING btree ("account_id",lower(left("name", 200))) WHERE "projects"."name" is not null;--> statement-breakpoint
CREATE INDEX "runs_name_parts" ON "runs" USING gin ("account_id","name" gin_trgm_ops) WHERE "runs"."name" is not null;--> statement-breakpoint
CREATE INDEX "runs_name_whole" ON "runs" USING btree ("account_id",lower(left("name", 200))) WHERE "runs"."name" is not null;--> statement-breakpoint
CREATE INDEX "runs_retries" ON "runs" USING btree ("account_id","retry_of","id") WHERE retry_of is not null;--> statement-breakpoint
CREATE INDEX "runs_children" ON "runs" USING btree ("account_id","parent_id","id") WHERE parent_id is not null;--> statement-breakpoint
CREATE INDEX "transaction_attempts_hash" ON "transaction_attempts" USING btree ("account_id","hash");--> statement-breakpoint
CREATE INDEX "wallet_transactions_hash" ON "wallet_transactions" USING btree ("account_id","hash") WHERE hash is not null;--> statement-breakpoint
CREATE INDEX "wallets_label_parts" ON "wallets" USING gin ("account_id","label" gin_trgm_ops) WHERE "wallets"."label" is not null;--> statement-breakpoint
CREATE INDEX "wallets_label_whole" ON "wallets" USING btree ("account_id",lower(left("label", 200))) WHERE "wallets"."label" is not null;--> statement-breakpoint
CREATE INDEX "webhooks_url_parts" ON "webhooks" USING gin ("account_id","url" gin_trgm_ops) WHERE "webhooks"."url" is not null;--> statement-breakpoint
CREATE INDEX "webhooks_url_whole" ON "webhooks" USING btree ("account_id",lower(left("url", 200))) WHERE "webhooks"."url" is not null;--> statement-breakpoint
CREATE INDEX "webhooks_description_parts" ON "webhooks" USING gin ("account_id","description" gin_trgm_ops) WHERE "webhooks"."description" is not null;--> statement-breakpoint
CREATE INDEX "webhooks_description_whole" ON "webhooks" USING btree ("account_id",lower(left("description", 200))) WHERE "webhooks"."description" is not null;