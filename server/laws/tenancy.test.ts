import { describe, expect, test } from "vitest";
import { defined } from "#server/defined.ts";
import type { Operation } from "#server/operation/operation.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { exampleSent } from "#server/testing/example-bodies.ts";
import { comparable } from "#server/testing/operation-calls.ts";
import { operationsToTry } from "#server/testing/operations-to-try.ts";
import { createResource, missingId, ownedParams, pathOf } from "#server/testing/resources.ts";

const api = await startApi();
const { key: root } = await api.createRootKey();
const keyed = operationsToTry().filter((operation) => operation.scope !== null);

async function makeProject(): Promise<string> {
  const body = { name: unique("Project") };
  return (await api.send("POST", "/v1/projects", { key: root, body })).body.project.id;
}

/** Pairs of keys, neither of which may see the other's resources. */
const NEIGHBOURS: Record<string, [owner: string, neighbour: string]> = {
  "another project": [
    (await api.createChild(root, { projectId: await makeProject() })).key,
    (await api.createChild(root, { projectId: await makeProject() })).key,
  ],
  "another end user": [
    (await api.createChild(root, { endUser: "ada" })).key,
    (await api.createChild(root, { endUser: "bob" })).key,
  ],
};

function call(operation: Operation, key: string, { path = pathOf(operation), headers = {} } = {}) {
  const sent = exampleSent(operation);
  return api.send(operation.method, path, { key, ...sent, headers: { ...sent.headers, ...headers } });
}

// A project belongs to the account; that a key bound to one sees no other is tested with projects.
const named = keyed.flatMap((operation) =>
  ownedParams(operation)
    .filter((param) => param !== "projectId")
    .map((param) => ({ operation, param })),
);

describe.for(Object.keys(NEIGHBOURS))("of %s", (relation) => {
  const [owner, neighbour] = defined(NEIGHBOURS[relation]);

  test.for(named)(
    "$operation.operationId answers no $param, as one that is missing",
    async ({ operation, param }) => {
      const theirs = await createResource(api, owner, param);
      const missing = missingId(param);
      const others: Record<string, string> = {};
      for (const other of ownedParams(operation).filter((name) => name !== param))
        others[other] = await createResource(api, neighbour, other);
      const [toTheirs, toMissing] = await Promise.all(
        [theirs, missing].map((id) =>
          call(operation, neighbour, { path: pathOf(operation, { ...others, [param]: id }) }),
        ),
      );
      expect(defined(toTheirs).status).toBeGreaterThanOrEqual(400);
      expect(comparable(defined(toTheirs), theirs)).toBe(comparable(defined(toMissing), missing));
    },
  );
});

const parent = await api.createChild(root);
const orphan = await api.createChild(parent.key);
await api.send("DELETE", `/v1/api-keys/${parent.apiKey.id}`, { key: root });
const archived = await makeProject();
await api.send("DELETE", `/v1/projects/${archived}`, { key: root });

describe.for(keyed)("$operationId", (operation) => {
  test("answers 401 below a key that was revoked, naming it", async () => {
    const answer = await call(operation, orphan.key);
    expect(answer.status).toBe(401);
    expect(answer.body.error).toMatchObject({ code: "ancestor_revoked", keyId: parent.apiKey.id });
  });

  test("answers 409 where it is called for a project that was archived", async () => {
    const answer = await call(operation, root, { headers: { "x-service-project": archived } });
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe("state_conflict");
  });
});
