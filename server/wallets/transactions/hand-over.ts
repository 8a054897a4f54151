import { platform } from "#server/platform.ts";
import type { Recorded } from "../executions/kind.ts";
import { claimedSender, claimOf, type Leased } from "./leased-senders.ts";
import type { TransactionRow } from "./move-transaction.ts";
import { senderKey } from "./sender-state.ts";

/**
 * Hands a transaction that is about to be committed over to the engine: to this process' own if that is idle, which
 * begins without a further round trip, else by a wake-up.
 */
export function handOver(row: TransactionRow): Pick<Recorded<unknown>, "execution" | "handOver"> {
  const { wakeUps } = platform();
  const engine = wakeUps.inProcess("transactions");
  const reserved = engine?.reserve(senderKey(row.network, row.from)) ?? false;
  return {
    execution: reserved ? { claimed: claimedSender(row) } : undefined,
    handOver({ claimed, event0 }) {
      if (claimed) engine?.begin(claimOf(row, claimed as Leased, event0 === true));
      else wakeUps.send("transactions");
    },
  };
}
