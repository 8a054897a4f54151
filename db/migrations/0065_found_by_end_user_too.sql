CREATE INDEX CONCURRENTLY "approvals_end_user" ON "approvals" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "artifacts_end_user" ON "artifacts" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "connections_end_user" ON "connections" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "swaps_end_user" ON "swaps" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_end_user" ON "orders" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "triggers_end_user" ON "triggers" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "webhooks_end_user" ON "webhooks" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "workflows_end_user" ON "workflows" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;