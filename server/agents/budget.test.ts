import { expect, test } from "vitest";
import { createBudget } from "./budget.ts";

const bounds = { maxTokens: 1000, maxCredits: 10, creditsPerThousandTokens: 2 };

test("gives the model the budget that earlier calls have not used, and stops it before a call that would exceed it", () => {
  const budget = createBudget(bounds);
  expect(budget.nextAnswer()).toEqual({ maxOutputTokens: 1000 });
  budget.use({ inputTokens: 300, outputTokens: 100 });
  // The next call sends at least those 300 again.
  expect(budget.nextAnswer()).toEqual({ maxOutputTokens: 300 });
  budget.use({ inputTokens: 300, outputTokens: 50 });
  expect(budget.nextAnswer()).toEqual({ stop: "max_tokens" });
  expect(budget.used()).toEqual({ inputTokens: 600, outputTokens: 150 });
});

test("counts tokens and tools against the same credits", () => {
  const budget = createBudget({ ...bounds, maxTokens: 100_000, maxCredits: 4 });
  budget.use({ inputTokens: 500, outputTokens: 1 });
  expect(budget.tokenCredits(501)).toBe(2);
  expect(budget.reserve(3)).toBe(false);
  expect(budget.reserve(2)).toBe(true);
  expect(budget.left()).toBe(0);
  expect(budget.nextAnswer()).toEqual({ stop: "max_credits" });
  budget.release(1);
  expect(budget.left()).toBe(1);
  expect(budget.reserve(1)).toBe(true);
});

test("never charges more for tokens than the run may spend", () => {
  const budget = createBudget({ ...bounds, maxCredits: 3 });
  budget.reserve(1);
  budget.use({ inputTokens: 90_000, outputTokens: 10 });
  expect(budget.tokenCredits(90_010)).toBe(2);
  expect(budget.cutBy()).toBe("max_tokens");
});

test("lets tokens of a model of one's own cost nothing", () => {
  const budget = createBudget({ ...bounds, maxCredits: 0, creditsPerThousandTokens: 0 });
  expect(budget.nextAnswer()).toEqual({ maxOutputTokens: 1000 });
  budget.use({ inputTokens: 500, outputTokens: 20 });
  expect(budget.tokenCredits(520)).toBe(0);
  expect(budget.reserve(1)).toBe(false);
  expect(budget.reserve(0)).toBe(true);
});
