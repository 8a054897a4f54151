DROP INDEX "memories_name_parts";--> statement-breakpoint
DROP INDEX "memories_name_whole";--> statement-breakpoint
DROP INDEX "memories_of_account";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "memories_every_name_parts" ON "memories" USING gin ("account_id","name" gin_trgm_ops) WHERE "memories"."name" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "memories_every_name_whole" ON "memories" USING btree ("account_id",lower(left("name", 200))) WHERE "memories"."name" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "memories_end_user" ON "memories" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "memories_tags" ON "memories" USING gin ("account_id","tags");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "memories_project" ON "memories" USING btree ("account_id","project_id","id") WHERE project_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "runs_end_user" ON "runs" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "wallets_end_user" ON "wallets" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;