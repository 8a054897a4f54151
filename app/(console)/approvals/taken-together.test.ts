import { expect, test } from "vitest";
import { type Asked, takenTogether } from "#app/(console)/approvals/taken-together.ts";

const NOW = "2027-01-31T12:00:00.000Z";

function asked(
  walletId: string,
  valueUsd: string | null,
  beforeUsd: string | null,
  day = "2027-01-31",
): Asked {
  const cap = beforeUsd === null ? null : { limitUsd: "500", beforeUsd, afterUsd: null };
  return {
    createdAt: `${day}T01:00:00.000Z`,
    impact: {
      walletId,
      frozen: false,
      network: null,
      valueUsd,
      cap,
      refusals: [],
      balances: [],
      feeAtMost: null,
      simulation: null,
      allowances: [],
      fields: [],
    },
  };
}

test("approvals of today have reserved their values: before all of them, none counts", () => {
  // 30 USD are spent; each of the two sees the other's reservation.
  expect(takenTogether([asked("wal_a", "100", "50.5"), asked("wal_a", "20.5", "130")], NOW)).toEqual({
    valueUsd: "120.5",
    unpriced: 0,
    caps: [{ walletId: "wal_a", limitUsd: "500", beforeUsd: "30", afterUsd: "150.5", valueUsd: "120.5" }],
  });
});

test("approvals of earlier days reserve their values when they are decided", () => {
  const old = "2027-01-30";
  const { caps } = takenTogether([asked("wal_a", "100", "30", old), asked("wal_a", "20", "30", old)], NOW);
  expect(caps).toMatchObject([{ beforeUsd: "30", afterUsd: "150" }]);
  // The older one is counted nowhere yet; the newer one only by the older one.
  const mixed = [asked("wal_a", "100", "50", old), asked("wal_a", "20", "30")];
  expect(takenTogether(mixed, NOW).caps).toMatchObject([{ beforeUsd: "30", afterUsd: "150" }]);
  expect(takenTogether(mixed.toReversed(), NOW).caps).toMatchObject([{ beforeUsd: "30", afterUsd: "150" }]);
});

test("each wallet has its own limit, or none, and values without a price are counted apart", () => {
  expect(
    takenTogether([asked("wal_a", "10", "0"), asked("wal_b", "5", null), asked("wal_b", null, null)], NOW),
  ).toEqual({
    valueUsd: "15",
    unpriced: 1,
    caps: [{ walletId: "wal_a", limitUsd: "500", beforeUsd: "0", afterUsd: "10", valueUsd: "10" }],
  });
});
