CREATE INDEX CONCURRENTLY "approvals_kind" ON "approvals" USING btree ("account_id","kind","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "artifacts_service" ON "artifacts" USING btree ("account_id","service_id","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "connections_status" ON "connections" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "connections_auth_type" ON "connections" USING btree ("account_id","auth_type","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "api_keys_prefix_parts" ON "api_keys" USING gin ("account_id","prefix" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_transactions_kind" ON "ledger_transactions" USING btree ("account_id","kind","id") WHERE kind <> 'usage';--> statement-breakpoint
CREATE INDEX CONCURRENTLY "projects_archived" ON "projects" USING btree ("account_id","id") WHERE archived_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "projects_slug_parts" ON "projects" USING gin ("account_id","slug" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX CONCURRENTLY "runs_operation" ON "runs" USING btree ("account_id","operation_id","id") WHERE finished_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "wallet_transactions_status" ON "wallet_transactions" USING btree ("account_id","wallet_id","status","id") WHERE status <> 'confirmed';--> statement-breakpoint
CREATE INDEX CONCURRENTLY "wallet_transactions_reference_parts" ON "wallet_transactions" USING gin ("account_id","client_reference" gin_trgm_ops) WHERE client_reference is not null and ended_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "wallet_transactions_network" ON "wallet_transactions" USING btree ("account_id","wallet_id","network","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "wallet_transactions_direction" ON "wallet_transactions" USING btree ("account_id","wallet_id","direction","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "wallets_status" ON "wallets" USING btree ("account_id","status","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "wallets_project" ON "wallets" USING btree ("account_id","project_id","id") WHERE project_id is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "workflows_archived" ON "workflows" USING btree ("account_id","id") WHERE archived_at is not null;