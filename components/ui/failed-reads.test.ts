import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { canReadAgain, readAgain } from "#components/ui/failed-reads.ts";

const refused = { data: { error: { code: "not_found", retryable: false } } };

test("a failed query is read again if that can help", async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const cut = new TypeError("Failed to fetch");
  let fails = true;
  const shown = new QueryObserver(queries, {
    queryKey: ["shown"],
    queryFn: () => (fails ? Promise.reject(cut) : Promise.resolve("rows")),
  });
  const missing = new QueryObserver(queries, {
    queryKey: ["missing"],
    queryFn: () => Promise.reject(refused),
  });
  shown.subscribe(() => {});
  missing.subscribe(() => {});
  await expect.poll(() => shown.getCurrentResult().error).toBe(cut);
  await expect.poll(() => missing.getCurrentResult().error).toBe(refused);
  expect(canReadAgain(queries, cut)).toBe(true);
  expect(canReadAgain(queries, refused)).toBe(false);
  // The error of a mutation, for example.
  expect(canReadAgain(queries, new TypeError("Failed to fetch"))).toBe(false);

  fails = false;
  await readAgain(queries);
  expect(shown.getCurrentResult().data).toBe("rows");
  expect(missing.getCurrentResult().errorUpdateCount).toBe(1);
  expect(canReadAgain(queries, cut)).toBe(false);
});
