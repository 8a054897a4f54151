CREATE INDEX CONCURRENTLY "artifacts_sha256" ON "artifacts" USING btree ("account_id","sha256");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "connections_provider_parts" ON "connections" USING gin ("account_id","provider" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY "connections_hosts" ON "connections" USING gin ("account_id","allowed_hosts");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "files_sha256" ON "files" USING btree ("account_id","sha256");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "memories_by_name" ON "memories" USING btree ("account_id",lower(left(coalesce("name", ''), 200)),"id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "swaps_status" ON "swaps" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "swaps_hashes" ON "swaps" USING gin ("account_id","transactions" jsonb_path_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_status" ON "orders" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_symbol" ON "orders" USING btree ("account_id","symbol","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_side" ON "orders" USING btree ("account_id","side","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_parts" ON "orders" USING gin ("account_id","symbol" gin_trgm_ops,"client_reference" gin_trgm_ops) WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_live" ON "orders" USING btree ("account_id","id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "wallet_transactions_source_type" ON "wallet_transactions" USING btree ("account_id","wallet_id","source_type","id") WHERE source_type is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "triggers_by_name" ON "triggers" USING btree ("account_id",lower(left("name", 200)),"id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "triggers_paused" ON "triggers" USING btree ("account_id","id") WHERE paused_reason is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "triggers_ended" ON "triggers" USING btree ("account_id","id") WHERE paused_reason is null and next_at is null and schedule is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "webhook_history_name" ON "webhook_history" USING btree ("account_id","webhook_id","event","id");