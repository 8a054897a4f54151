import { expect, test } from "vitest";
import { bodyOf, emptyConnection } from "./connection-values.ts";

test("sends only the fields of the chosen type, and no empty ones", () => {
  const typed = { ...emptyConnection, label: "Orders", username: "robot", headerName: "X-Key", secret: "s" };
  expect(bodyOf({ ...typed, authType: "basic" })).toEqual({
    label: "Orders",
    authType: "basic",
    username: "robot",
    secret: "s",
    metadata: {},
  });
  expect(bodyOf({ ...typed, authType: "api_key" })).toMatchObject({ headerName: "X-Key" });
});
