CREATE TABLE "blob_bytes" (
	"key" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storage_usage" (
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"used_bytes" bigint NOT NULL,
	CONSTRAINT "storage_usage_account_id_kind_pk" PRIMARY KEY("account_id","kind")
);
--> statement-breakpoint
INSERT INTO "blob_bytes" ("key", "account_id", "kind", "bytes")
	SELECT "blob_key", "account_id", 'files', "size_bytes" FROM "files"
	UNION ALL SELECT "blob_key", "account_id", 'artifacts', "size_bytes" FROM "artifacts"
	UNION ALL SELECT "blob_key", "account_id", 'transfers', "size_bytes" FROM "database_transfer_parts"
	UNION ALL SELECT ("archive" ->> 'key')::uuid, "account_id", 'transfers', ("archive" ->> 'sizeBytes')::bigint FROM "database_transfers" WHERE "archive" ->> 'key' IS NOT NULL
	UNION ALL SELECT "blob_key", "account_id", 'results', coalesce(("pieces" -> -1 ->> 'end')::bigint + 1, 0) FROM "database_results"
	ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO "storage_usage" ("account_id", "kind", "used_bytes")
	SELECT "account_id", "kind", sum("bytes")::bigint FROM "blob_bytes" GROUP BY 1, 2;
