-- A row of these is known by a key without its account. Replication of one account's rows (docs/scaling.md, "Moving an
-- account") has to see the account of a row that is changed or deleted.
ALTER TABLE "oauth_tokens" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "blob_bytes" REPLICA IDENTITY FULL;
