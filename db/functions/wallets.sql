-- Whatever is done for a wallet takes its locks in one order, so that no two transactions wait for each other:
--   1. the thing that it is about: a quote, an order, a swap, a transaction or signature that awaits its approval
--   2. the wallet: `lock_wallet`, before its policy is judged
--   3. its sender on a chain: `lock_sender`, `hold_senders` (several in the order of their keys)
--   4. what it has taken of its days, `reserve_cap`, `release_cap`, `lock_cap`, and then of its funds, `reserve_funds`
--   5. an approval that is used up
--   6. credits, in the order of `ledger.sql`, and then the record of the call

-- Locks a wallet until the transaction ends: its policy stays as it is, and nobody else takes of its days or its funds. Answers the
-- policy's version.
create or replace function lock_wallet(p_account uuid, p_wallet uuid) returns int language sql as $$
  select w.policy_version from wallets w where w.account_id = p_account and w.id = p_wallet for no key update
$$;
