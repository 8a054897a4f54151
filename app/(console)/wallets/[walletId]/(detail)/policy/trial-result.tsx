import { Decision, decisions, Reasons } from "#app/(console)/_quote/decision.tsx";
import { NamedText, useAddressNames } from "#components/address-names.tsx";
import { routes } from "#components/routes.ts";
import { Count } from "#components/ui/amount.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/time.tsx";
import type { Simulation } from "#server/wallets/policy/simulate-policy.ts";

/** Shows how many transactions pass before and after, and those that the draft judges differently. */
export function TrialResult({
  walletId,
  simulation,
  stale,
}: {
  walletId: string;
  simulation: Simulation;
  /** True if the draft has been edited since. */
  stale: boolean;
}) {
  const { transactions, truncated, now, draft, differing } = simulation;
  const names = useAddressNames(differing.map(({ summary }) => summary));
  if (transactions === 0)
    return <p className="text-muted">The wallet has sent nothing in the last 30 days.</p>;
  return (
    <>
      {stale && <p className="text-13 text-warn">The draft has changed since. Replay again.</p>}
      <table className="w-full text-13 tabular-nums">
        <caption className="sr-only">Past transactions, judged by the policy and by the draft</caption>
        <thead>
          <tr className="border-b text-muted">
            <th className="py-1.5 text-left font-normal">
              {truncated ? "The oldest " : ""}
              <Count value={transactions} /> sent
            </th>
            <th className="py-1.5 text-right font-normal">Now</th>
            <th className="py-1.5 text-right font-normal">Draft</th>
          </tr>
        </thead>
        <tbody>
          {(["allow", "approval", "deny"] as const).map((decision) => (
            <tr key={decision} className="border-b">
              <th scope="row" className="py-1.5 text-left font-normal">
                {decisions[decision].text}
              </th>
              <td className="py-1.5 text-right">
                <Count value={now[decision]} />
              </td>
              <td className="py-1.5 text-right font-medium">
                <Count value={draft[decision]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {differing.length === 0 ? (
        <p>The draft judges each of them as the policy does.</p>
      ) : (
        <ol aria-label="Judged otherwise" className="flex flex-col divide-y">
          {differing.map(({ id, at, summary, now: before, draft: after }) => (
            <li key={id} className="flex min-w-0 flex-col gap-1 py-3">
              <div className="flex items-baseline justify-between gap-3">
                <span className="min-w-0 break-words">
                  {/* Opens in a new tab, because the draft is not saved yet. */}
                  <TextLink href={pathOf(walletId, id)} target="_blank">
                    <NamedText text={summary} names={names} />
                  </TextLink>
                </span>
                <span className="shrink-0 text-13 text-muted">
                  <RelativeTime at={at} />
                </span>
              </div>
              <p className="flex flex-wrap items-center gap-1.5 text-13">
                <Decision of={before} /> becomes <Decision of={after} />
              </p>
              <Reasons of={after.reasons.length > 0 ? after : before} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

/** Returns the page of a sent transaction, which may belong to a swap or an order. */
function pathOf(walletId: string, id: string): string {
  if (id.startsWith("swap_")) return routes.swaps.read(id);
  return id.startsWith("ord_") ? routes.trading.read(id) : routes.wallets.transaction(walletId, id);
}
