import { expect, test } from "vitest";
import { nameOf, pairsOf, type Step } from "#app/(console)/database/sql/plan-steps.ts";

const step = (type: string, rest: object = {}): Step => ({
  "Node Type": type,
  "Total Cost": 1,
  "Plan Rows": 1,
  ...rest,
});

/** Returns the names of a plan's steps that have no pair. */
function changed(plan: Step, pairs: ReadonlyMap<Step, Step>): string[] {
  const below = (plan.Plans ?? []).flatMap((each) => changed(each, pairs));
  return pairs.has(plan) ? below : [nameOf(plan), ...below];
}

function compare(before: Step, after: Step) {
  const pairs = pairsOf(before, after);
  return { gone: changed(before, pairs), added: changed(after, pairs) };
}

const scan = (filter: string) => step("Seq Scan", { "Relation Name": "orders", Filter: filter });
const byIndex = step("Index Scan", { "Index Name": "orders_note", "Relation Name": "orders" });

test("a step that was inserted above others changes only itself", () => {
  const before = step("Limit", { Plans: [scan("(id > 1)")] });
  const after = step("Limit", { Plans: [step("Sort", { Plans: [scan("(id > 1)")] })] });
  expect(compare(before, after)).toEqual({ gone: [], added: ["Sort"] });
});

test("a step that reads otherwise is gone from one plan and new in the other", () => {
  expect(compare(step("Sort", { Plans: [scan("(id > 1)")] }), step("Sort", { Plans: [byIndex] }))).toEqual({
    gone: ["Seq Scan on orders"],
    added: ["Index Scan by orders_note on orders"],
  });
  expect(compare(scan("(id > 1)"), scan("(id > 2)"))).toEqual({
    gone: ["Seq Scan on orders"],
    added: ["Seq Scan on orders"],
  });
});

test("of two equal steps only as many have a pair as the other plan has", () => {
  const twice = step("Append", { Plans: [scan("(id > 1)"), scan("(id > 1)")] });
  const once = step("Append", { Plans: [scan("(id > 1)")] });
  expect(compare(twice, once)).toEqual({ gone: ["Seq Scan on orders"], added: [] });
});
