CREATE INDEX CONCURRENTLY "end_users_id_end" ON "end_users" USING btree ((substr(uuid_send("id"), 13)::int & 1073741823),"account_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "approvals_id_end" ON "approvals" USING btree ((substr(uuid_send("id"), 13)::int & 1073741823),"account_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "artifacts_id_end" ON "artifacts" USING btree ((substr(uuid_send("id"), 13)::int & 1073741823),"account_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "memories_id_end" ON "memories" USING btree ((substr(uuid_send("id"), 13)::int & 1073741823),"account_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "signatures_id_end" ON "signatures" USING btree ((substr(uuid_send("id"), 13)::int & 1073741823),"account_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "swaps_id_end" ON "swaps" USING btree ((substr(uuid_send("id"), 13)::int & 1073741823),"account_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_id_end" ON "orders" USING btree ((substr(uuid_send("id"), 13)::int & 1073741823),"account_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "triggers_id_end" ON "triggers" USING btree ((substr(uuid_send("id"), 13)::int & 1073741823),"account_id");