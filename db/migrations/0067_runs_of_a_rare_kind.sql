CREATE INDEX CONCURRENTLY "runs_ended" ON "runs" USING btree ("account_id","status","id") WHERE finished_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "runs_service" ON "runs" USING btree ("account_id","service_id","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "runs_project" ON "runs" USING btree ("account_id","project_id","id") WHERE project_id is not null;