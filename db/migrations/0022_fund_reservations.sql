CREATE TABLE "fund_reservations" (
	"account_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"owner_type" text NOT NULL,
	"wallet_id" uuid NOT NULL,
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"amount" numeric NOT NULL,
	"fee" numeric DEFAULT '0' NOT NULL,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "fund_reservations_account_id_owner_id_asset_pk" PRIMARY KEY("account_id","owner_id","asset")
);
--> statement-breakpoint
CREATE INDEX "fund_reservations_wallet" ON "fund_reservations" USING btree ("account_id","wallet_id","network","released_at","asset");--> statement-breakpoint
CREATE INDEX "fund_reservations_released" ON "fund_reservations" USING btree ("released_at");--> statement-breakpoint
INSERT INTO "fund_reservations" (account_id, owner_id, owner_type, wallet_id, network, asset, amount, fee)
SELECT t.account_id, t.id, 'transaction', t.wallet_id, t.network, 'native', t.call_value * 1e-18,
	coalesce(t.gas * (SELECT max(a.max_fee) FROM transaction_attempts a WHERE a.account_id = t.account_id AND a.transaction_id = t.id) * 1e-18, 0)
FROM wallet_transactions t
WHERE t.direction = 'out' AND t.status IN ('awaiting_approval', 'reserved', 'signed', 'broadcast') AND t.block_number IS NULL
UNION ALL
SELECT t.account_id, t.id, 'transaction', t.wallet_id, t.network, t.asset, t.amount::numeric, 0
FROM wallet_transactions t
WHERE t.direction = 'out' AND t.status IN ('awaiting_approval', 'reserved', 'signed', 'broadcast') AND t.block_number IS NULL
	AND t.asset <> 'native' AND t.amount::numeric > 0
UNION ALL
SELECT s.account_id, s.id, 'swap', s.wallet_id, s."from" ->> 'network', s."from" ->> 'asset', (s."from" ->> 'amount')::numeric, 0
FROM swaps s WHERE s.status = 'awaiting_approval'
UNION ALL
SELECT o.account_id, o.id, 'order', o.wallet_id, o.network, CASE o.side WHEN 'buy' THEN o.counter ELSE o.base END,
	(o.quantity - o.filled_quantity - o.executing_quantity) * CASE o.side WHEN 'buy' THEN o.bound_price ELSE 1 END, 0
FROM orders o WHERE o.ended_at IS NULL;
