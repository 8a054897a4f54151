ALTER TABLE "gates" RENAME TO "rate_limit_counters";--> statement-breakpoint
ALTER TABLE "rate_limit_counters" RENAME CONSTRAINT "gates_key_id_selector_pk" TO "rate_limit_counters_key_id_selector_pk";--> statement-breakpoint
-- Processes of the version before write to it by its former name until they are replaced. A later migration drops this.
CREATE VIEW "gates" AS SELECT "key_id", "selector", "at", "admitted", "active" FROM "rate_limit_counters";
