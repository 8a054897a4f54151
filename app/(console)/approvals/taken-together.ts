import { sumOf } from "#components/ui/digits.ts";
import type { Impact } from "#server/wallets/impact/schema.ts";

/** An approval's impact, and when it was requested. */
export type Asked = { createdAt: string; impact: Impact };

type Cap = { walletId: string; limitUsd: string; beforeUsd: string; afterUsd: string; valueUsd: string };

const dayOf = (at: string) => at.slice(0, 10);

/**
 * Returns the total that several approvals spend: their value, how many have no price, and each wallet's cap of the day
 * before and after all of them. An approval of today has reserved its value already; an older one will reserve it.
 */
export function takenTogether(asked: readonly Asked[], now: string) {
  const priced = asked.flatMap(({ createdAt, impact }) =>
    impact.valueUsd === null ? [] : { ...impact, valueUsd: impact.valueUsd, createdAt },
  );
  const caps = [...Map.groupBy(priced, ({ walletId }) => walletId)].flatMap(([walletId, parts]): Cap[] => {
    const [first, ...others] = parts;
    if (!first?.cap) return [];
    const reserved = others.filter(({ createdAt }) => dayOf(createdAt) === dayOf(now));
    const beforeUsd = sumOf([first.cap.beforeUsd, ...reserved.map(({ valueUsd }) => `-${valueUsd}`)]);
    const valueUsd = sumOf(parts.map((part) => part.valueUsd));
    const afterUsd = sumOf([beforeUsd, valueUsd]);
    return [{ walletId, limitUsd: first.cap.limitUsd, beforeUsd, afterUsd, valueUsd }];
  });
  return {
    valueUsd: sumOf(priced.map(({ valueUsd }) => valueUsd)),
    unpriced: asked.length - priced.length,
    caps,
  };
}
