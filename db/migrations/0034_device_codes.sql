ALTER TABLE "oauth_requests" ALTER COLUMN "redirect_uri" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_requests" ALTER COLUMN "code_challenge" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_requests" ADD COLUMN "device_hash" "bytea";--> statement-breakpoint
ALTER TABLE "oauth_requests" ADD COLUMN "user_code_hash" "bytea";--> statement-breakpoint
ALTER TABLE "oauth_requests" ADD COLUMN "polled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "oauth_requests" ADD COLUMN "poll_seconds" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_requests_device" ON "oauth_requests" USING btree ("device_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_requests_user_code" ON "oauth_requests" USING btree ("user_code_hash");