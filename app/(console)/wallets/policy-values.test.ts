import fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { generatedBy } from "#server/testing/generated.ts";
import { mergePolicy, OPEN_POLICY, type Policy, PolicyChanges } from "#server/wallets/policy/schema.ts";
import { initialPolicy, mergedContracts, pathOf, toPolicy } from "./policy-values.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const tight: z.output<typeof Policy> = {
  version: 3,
  maxPerTransactionUsd: "250",
  dailyLimitUsd: "1000.50",
  maxNetworkFeeUsd: "0",
  dailyNetworkFeeUsd: "20",
  allowedNetworks: [],
  allowedAssets: [],
  allowedRecipients: [],
  allowedContracts: [{ address, methods: [] }],
  signatures: { messages: false, typedDataContracts: [] },
  approval: {
    aboveUsd: "100",
    always: true,
    requiredApprovals: 2,
    initiatorMayApprove: true,
    approvers: ["mbr_01jz4w1n9vf5ha3kqcx8y2r7te"],
    policyChanges: true,
    expiresInSeconds: 900,
  },
};

const saved = (policy: z.output<typeof Policy>) => {
  const { version, ...rules } = policy;
  return { version, ...mergePolicy(rules, PolicyChanges.parse(toPolicy(initialPolicy(policy)))) };
};

test("keeps a policy that allows nothing closed when it is saved", () => {
  expect(saved(tight)).toEqual(tight);
  const closed = { ...tight, allowedContracts: [] };
  expect(saved(closed)).toEqual(closed);
});

test("opens a list that allows nothing when the person chooses that, or adds an item", () => {
  const values = { ...initialPolicy(tight), closed: [], allowedNetworks: ["eip155:8453"] };
  expect(toPolicy(values)).toMatchObject({
    allowedAssets: null,
    allowedNetworks: ["eip155:8453"],
    signatures: { typedDataContracts: null },
  });
});

test("leaves every policy unchanged when it is saved without changes", () => {
  const policies = generatedBy(PolicyChanges)
    .filter((changes) => PolicyChanges.safeParse(changes).success)
    .map((changes) => ({ version: 1, ...mergePolicy(OPEN_POLICY, changes) }));
  fc.assert(fc.property(policies, (policy) => void expect(saved(policy)).toEqual(policy)));
});

test("shows a contract that is listed twice once, with the methods of both entries", () => {
  const other = `0x${"1".repeat(40)}`;
  expect(
    mergedContracts([
      { address, methods: ["approve"] },
      { address: other, methods: ["deposit"] },
      { address, methods: ["transfer", "approve"] },
      { address: other, methods: null },
    ]),
  ).toEqual([
    { address, methods: ["approve", "transfer"] },
    { address: other, methods: null },
  ]);
});

test("assigns an error to its field by the field's path in the request body", () => {
  const values = { ...initialPolicy(), maxPerTransactionUsd: "x", aboveUsd: "x", requiredApprovals: 0 };
  const wrong = { ...values, allowedAssets: ["x"], allowedContracts: ["x"], typedDataContracts: ["x"] };
  const { error } = PolicyChanges.safeParse(toPolicy(wrong));
  const faults = error?.issues.map(({ path }) => path.join(".")) ?? [];
  const fields = ["maxPerTransactionUsd", "allowedAssets", "allowedContracts", "typedDataContracts"];
  for (const field of [...fields, "aboveUsd", "requiredApprovals"])
    expect(
      faults.some((fault) => fault === pathOf(field) || fault.startsWith(`${pathOf(field)}.`)),
      field,
    ).toBe(true);
});
