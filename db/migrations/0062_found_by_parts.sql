-- The last 20 characters of a public id (db/typeid.ts): the UUID's lowest 100 bits in Crockford's base32. Indexes use it: its
-- result must never change.
CREATE FUNCTION "id_text"(id uuid) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  letters CONSTANT text := '0123456789abcdefghjkmnpqrstvwxyz';
  digits CONSTANT text := replace(id::text, '-', '');
  high CONSTANT bigint := ('x' || lpad(substr(digits, 8, 15), 16, '0'))::bit(64)::bigint;
  low CONSTANT bigint := ('x' || lpad(substr(digits, 23, 10), 16, '0'))::bit(64)::bigint;
BEGIN
  RETURN
    substr(letters, ((high >> 55) & 31)::int + 1, 1) || substr(letters, ((high >> 50) & 31)::int + 1, 1) ||
    substr(letters, ((high >> 45) & 31)::int + 1, 1) || substr(letters, ((high >> 40) & 31)::int + 1, 1) ||
    substr(letters, ((high >> 35) & 31)::int + 1, 1) || substr(letters, ((high >> 30) & 31)::int + 1, 1) ||
    substr(letters, ((high >> 25) & 31)::int + 1, 1) || substr(letters, ((high >> 20) & 31)::int + 1, 1) ||
    substr(letters, ((high >> 15) & 31)::int + 1, 1) || substr(letters, ((high >> 10) & 31)::int + 1, 1) ||
    substr(letters, ((high >> 5) & 31)::int + 1, 1) || substr(letters, ((high >> 0) & 31)::int + 1, 1) ||
    substr(letters, ((low >> 35) & 31)::int + 1, 1) || substr(letters, ((low >> 30) & 31)::int + 1, 1) ||
    substr(letters, ((low >> 25) & 31)::int + 1, 1) || substr(letters, ((low >> 20) & 31)::int + 1, 1) ||
    substr(letters, ((low >> 15) & 31)::int + 1, 1) || substr(letters, ((low >> 10) & 31)::int + 1, 1) ||
    substr(letters, ((low >> 5) & 31)::int + 1, 1) || substr(letters, ((low >> 0) & 31)::int + 1, 1);
END;
$$;--> statement-breakpoint
CREATE INDEX "end_users_external_id_parts" ON "end_users" USING gin ("account_id","external_id" gin_trgm_ops) WHERE "end_users"."external_id" is not null;--> statement-breakpoint
CREATE INDEX "end_users_external_id_whole" ON "end_users" USING btree ("account_id",lower(left("external_id", 200))) WHERE "end_users"."external_id" is not null;--> statement-breakpoint
CREATE INDEX "connections_id_parts" ON "connections" USING gin ("account_id",id_text("id") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_id_parts" ON "contacts" USING gin ("account_id",id_text("id") gin_trgm_ops,"address" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "api_keys_id_parts" ON "api_keys" USING gin ("account_id",id_text("id") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "memories_name_parts" ON "memories" USING gin ("account_id","name" gin_trgm_ops) WHERE "memories"."name" is not null and end_user_id is null;--> statement-breakpoint
CREATE INDEX "memories_name_whole" ON "memories" USING btree ("account_id",lower(left("name", 200))) WHERE "memories"."name" is not null and end_user_id is null;--> statement-breakpoint
CREATE INDEX "memories_of_account" ON "memories" USING btree ("account_id","id") WHERE end_user_id is null;--> statement-breakpoint
CREATE INDEX "projects_id_parts" ON "projects" USING gin ("account_id",id_text("id") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "wallet_transactions_from" ON "wallet_transactions" USING btree ("account_id","from","id") WHERE direction = 'in';--> statement-breakpoint
CREATE INDEX "wallets_id_parts" ON "wallets" USING gin ("account_id",id_text("id") gin_trgm_ops,"address" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "webhooks_id_parts" ON "webhooks" USING gin ("account_id",id_text("id") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "workflows_name_parts" ON "workflows" USING gin ("account_id","name" gin_trgm_ops) WHERE "workflows"."name" is not null;--> statement-breakpoint
CREATE INDEX "workflows_name_whole" ON "workflows" USING btree ("account_id",lower(left("name", 200))) WHERE "workflows"."name" is not null;--> statement-breakpoint
CREATE INDEX "workflows_id_parts" ON "workflows" USING gin ("account_id",id_text("id") gin_trgm_ops);