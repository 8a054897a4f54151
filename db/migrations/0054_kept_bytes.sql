CREATE TABLE "kept_bytes" (
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"shard" smallint NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "kept_bytes_account_id_kind_shard_pk" PRIMARY KEY("account_id","kind","shard")
);
--> statement-breakpoint
-- Before the table is locked: this reads the rows, not the payloads that PostgreSQL stores beside them, and writes one row
-- an account. Ended runs do not change: `counted_of` finds for each the bytes that it has in this sum.
INSERT INTO "kept_bytes" ("account_id", "kind", "shard", "bytes")
	SELECT "account_id", 'runs', 0, coalesce(sum("bytes"), 0)::bigint FROM (
		SELECT "account_id", coalesce(octet_length("input"), 0) + coalesce(octet_length("result"), 0) AS "bytes" FROM "runs" WHERE "finished_at" IS NOT NULL
		UNION ALL SELECT s."account_id", octet_length(s."output") FROM "run_steps" s
			JOIN "runs" r ON r."account_id" = s."account_id" AND r."id" = s."run_id" WHERE r."finished_at" IS NOT NULL) "payloads"
	GROUP BY 1
	UNION ALL SELECT "account_id", 'events', 0, sum(512 + octet_length("data") + coalesce(octet_length("headers"), 0))::bigint FROM "sent_events"
	WHERE "space" <> '00000000-0000-0000-0000-000000000000' GROUP BY 1
	UNION ALL SELECT "account_id", 'memories', 0,
		sum(512 + octet_length("content") + octet_length("metadata"::text) + octet_length(array_to_string("tags", ' ')))::bigint
	FROM "memories" GROUP BY 1
	UNION ALL SELECT "account_id", 'workflows', 0, sum(512 + octet_length("definition") + coalesce(octet_length("input_schema"), 0))::bigint
	FROM "workflow_versions" GROUP BY 1;
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "kept_bytes" bigint;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "counted_bytes" bigint;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "forgotten_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "runs" ALTER COLUMN "kept_bytes" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "runs" ALTER COLUMN "counted_bytes" SET DEFAULT 0;--> statement-breakpoint
-- Live runs go on growing, so each gets its own numbers.
UPDATE "runs" r SET "kept_bytes" = l."bytes", "counted_bytes" = l."bytes" FROM (
	SELECT v."account_id", v."id", coalesce(octet_length(v."input"), 0)
		+ (SELECT coalesce(sum(octet_length(s."output")), 0) FROM "run_steps" s WHERE s."account_id" = v."account_id" AND s."run_id" = v."id")
		+ (SELECT coalesce(sum(octet_length(c."answer")), 0) FROM "callbacks" c WHERE c."account_id" = v."account_id" AND c."run_id" = v."id")
		+ (SELECT coalesce(sum(greatest(256, octet_length(e."message") + coalesce(octet_length(e."data"::text), 0))), 0) FROM "run_timeline" e
			WHERE e."account_id" = v."account_id" AND e."run_id" = v."id" AND e."type" <> 'state') AS "bytes"
	FROM "runs" v WHERE v."finished_at" IS NULL) l
	WHERE r."account_id" = l."account_id" AND r."id" = l."id";--> statement-breakpoint
INSERT INTO "kept_bytes" ("account_id", "kind", "shard", "bytes")
	SELECT "account_id", 'runs', 1, sum("counted_bytes")::bigint FROM "runs" WHERE "finished_at" IS NULL GROUP BY 1;
