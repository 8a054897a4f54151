import { expect, test } from "vitest";
import type { Connection } from "./connection.ts";
import { createPools } from "./pools.ts";

const connection = () => ({ since: 0 }) as Connection;

test("gives the place of a connection that falls idle to another tenant's first call at once", async () => {
  const closed: Connection[] = [];
  const pools = createPools(5, (idle) => closed.push(idle));
  pools.learn("first", { most: 2, open: 0 });
  const [one, two, three] = ["one", "two", "three"].map((name) => pools.of("first", name));
  if (!one || !two || !three) throw new Error("There are three pools.");
  expect(await Promise.all([pools.wait(one), pools.wait(two)])).toEqual([null, null]);
  const waiting = pools.wait(three);
  const idle = connection();
  pools.keepIdle(one, idle);
  expect(await waiting).toBeNull();
  expect(closed).toEqual([idle]);
  expect([one.open, two.open, three.open]).toEqual([0, 1, 1]);
});
