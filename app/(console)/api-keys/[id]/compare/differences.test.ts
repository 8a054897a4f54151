import { expect, test } from "vitest";
import { type Compared, differencesOf } from "#app/(console)/api-keys/[id]/compare/differences.ts";

function compared(change: object, allowed: readonly string[], limit: number): Compared {
  const names = ["projects:read", "files:read"];
  return {
    apiKey: {
      status: "active",
      invalidBecause: null,
      expiryMode: "fixed",
      expiresAt: "2027-01-31T12:00:00.000Z",
      projectId: null,
      endUser: null,
      privacyTier: "standard",
      ...change,
    },
    access: {
      scopes: names.map((scope) => ({ scope, allowed: allowed.includes(scope) })),
      services: [],
      operations: [
        { selector: "files.list", denied: allowed.includes("files:read") ? null : { check: "scope" } },
      ],
      limits: [{ selector: "*", kind: "requestsPerMinute", value: limit }],
    },
  } as unknown as Compared;
}

test("lists the differences between two keys, and counts equal permissions", () => {
  const wide = compared({}, ["projects:read", "files:read"], 100);
  const narrow = compared({ endUser: "ada" }, ["projects:read"], 10);
  expect(differencesOf(wide, narrow)).toEqual({
    differences: [
      { of: "Policy", what: "End user", first: "–", second: "ada" },
      { of: "Scope", what: "files:read", first: "Allowed", second: "–" },
      { of: "Operation", what: "files.list", first: "Allowed", second: "–" },
      { of: "Limit", what: "*, a minute", first: "100", second: "10" },
    ],
    alike: 5,
  });
  expect(differencesOf(wide, wide).differences).toEqual([]);
});
