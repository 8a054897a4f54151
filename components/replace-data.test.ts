import { QueryObserver, queryOptions } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { makeQueryClient } from "#components/query-client.ts";
import { replaceData } from "./replace-data.ts";

test("never shows an old value again, whenever a read that began before the change ends", async () => {
  const queries = makeQueryClient();
  const reads: PromiseWithResolvers<{ wanted: boolean }>[] = [];
  const setting = queryOptions({
    queryKey: ["setting"],
    queryFn: () => {
      const read = Promise.withResolvers<{ wanted: boolean }>();
      reads.push(read);
      return read.promise;
    },
  });
  const observer = new QueryObserver(queries, setting);
  const unsubscribe = observer.subscribe(() => {});
  reads[0]?.resolve({ wanted: true });
  await expect.poll(() => observer.getCurrentResult().data).toEqual({ wanted: true });

  void queries.invalidateQueries();
  expect(reads).toHaveLength(2);
  await replaceData(queries, setting.queryKey, { wanted: false });
  reads[1]?.resolve({ wanted: true });
  await expect.poll(() => queries.isFetching()).toBe(0);
  expect(observer.getCurrentResult().data).toEqual({ wanted: false });
  unsubscribe();
});
