CREATE TABLE "oauth_documents" (
	"url" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"fresh_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "oauth_documents_read_at" ON "oauth_documents" USING btree ("read_at");