CREATE TABLE "key_branches" (
	"account_id" uuid NOT NULL,
	"above_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	CONSTRAINT "key_branches_account_id_above_id_key_id_pk" PRIMARY KEY("account_id","above_id","key_id")
);
--> statement-breakpoint
DROP INDEX "api_keys_chain";--> statement-breakpoint
DROP INDEX "api_keys_parent";--> statement-breakpoint
CREATE INDEX "api_keys_project" ON "api_keys" USING btree ("account_id","project_id","id") WHERE project_id is not null;--> statement-breakpoint
CREATE INDEX "api_keys_end_user" ON "api_keys" USING btree ("account_id","end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX "api_keys_revoked" ON "api_keys" USING btree ("account_id","id") WHERE revoked_at is not null;--> statement-breakpoint
CREATE INDEX "api_keys_fixed_expiry" ON "api_keys" USING btree ("account_id","expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE INDEX "api_keys_renewed" ON "api_keys" USING btree ("account_id","id") WHERE expires_at is null;--> statement-breakpoint
CREATE INDEX "api_keys_parent" ON "api_keys" USING btree ("account_id","parent_id","id");--> statement-breakpoint
insert into key_branches (account_id, above_id, key_id) select k.account_id, c.id, k.id from api_keys k, unnest(k.chain) c(id);
