import type { Mutation, Proof } from "./mutation.ts";

const fuzz = (requests: number, ...operations: string[]): Proof => ({
  by: "fuzz",
  requests,
  seed: 7,
  operations,
});

/** Faults that single requests reveal. */
export const FUZZ_MUTATIONS: readonly Mutation[] = [
  {
    name: "a list without its account",
    changes: [
      {
        file: "server/projects/list-projects.ts",
        before: '          eq(projects.accountId, placeholder(projects.accountId, "accountId")),\n',
        after: "",
      },
    ],
    proof: fuzz(400, "projects.list", "wallets.list"),
  },
  {
    name: "a resource of another account by its id",
    changes: [
      {
        file: "server/projects/read-project.ts",
        before: "and(visibleProjects(caller), eq(projects.id, params.projectId))",
        after: "and(eq(projects.id, params.projectId))",
      },
    ],
    proof: fuzz(400, "projects.read", "wallets.read"),
  },
  {
    name: "a field that is not declared",
    changes: [
      {
        file: "server/projects/queries.ts",
        before: "  const { accountId: _, archivedAt,",
        after: "  const { archivedAt,",
      },
      {
        file: "server/operation/response.ts",
        before: "JSON.stringify({ ok: true, ...checked(operation, result) });",
        after: "JSON.stringify({ ok: true, ...result });",
      },
    ],
    proof: fuzz(400, "projects.list", "projects.read"),
  },
  {
    name: "a field that is not declared, in results of tools",
    changes: [
      {
        file: "server/mcp/tool-result.ts",
        before: "  const structuredContent = parseKeepingDigits<Fields>(answer.body);\n",
        after: "  const structuredContent = { ...parseKeepingDigits<Fields>(answer.body), requestId };\n",
      },
    ],
    proof: fuzz(200, "projects.list", "projects.read"),
  },
  {
    name: "a fault of the input's shape that nobody caught",
    changes: [
      {
        file: "server/operation/storable.ts",
        before: '  if (text.includes("\\u0000")) return "Contains a NUL character.";\n',
        after: "",
      },
    ],
    proof: fuzz(1000, "projects.create", "projects.update", "wallets.create"),
  },
  {
    name: "an expired key that is let in",
    changes: [
      {
        file: "db/functions/access.sql",
        before: "      key_expiry(a.expires_at, a.last_used_at) <= to_timestamp(p_at_ms / 1000.0)))[1],",
        after:
          "      key_expiry(null, coalesce(a.last_used_at, a.expires_at)) <= to_timestamp(p_at_ms / 1000.0)))[1],",
      },
    ],
    proof: fuzz(400, "projects.list", "files.list"),
  },
  {
    name: "a revoked branch that is let in",
    changes: [
      {
        file: "db/functions/access.sql",
        before: "filter (where a.revoked_at is not null))[1],",
        after: "filter (where a.revoked_at is not null and a.id = p_chain[1]))[1],",
      },
    ],
    proof: fuzz(400, "projects.list", "files.list"),
  },
];
