-- The order of locks of every transaction for a wallet, so that no two wait for each other:
--   1. the resource: a quote, an order, a swap, a transaction or signature that awaits its approval
--   2. the wallet: `lock_wallet`, before its policy is evaluated
--   3. its sender on a chain: `lock_sender`, `hold_senders` (several in the order of their keys)
--   4. its reservations of daily caps, `reserve_cap`, `release_cap`, `lock_cap`, and then of funds, `reserve_funds`
--   5. the approval that it uses
--   6. credits, in the order of `ledger.sql`, and then the record of the call

-- Locks a wallet until the transaction ends: its policy stays unchanged, and nobody else reserves from its days or
-- its funds. Returns the policy's version.
create or replace function lock_wallet(p_account uuid, p_wallet uuid) returns int language sql as $$
  select w.policy_version from wallets w where w.account_id = p_account and w.id = p_wallet for no key update
$$;
