import { describe, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import type { Operation } from "#server/operation/operation.ts";
import { startApi, unique } from "#server/testing/api.ts";
import { exampleSent } from "#server/testing/example-bodies.ts";
import { comparable } from "#server/testing/operation-calls.ts";
import { operationsToTry } from "#server/testing/operations-to-try.ts";
import { createResource, missingId, ownedParams, pathOf, withQuery } from "#server/testing/resources.ts";

const api = await startApi();
const { key: root } = await api.createRootKey();
const keyed = operationsToTry().filter((operation) => operation.scope !== null);

async function makeProject(): Promise<string> {
  const body = { name: unique("Project") };
  return (await api.send("POST", "/v1/projects", { key: root, body })).body.project.id;
}

const project = await makeProject();

/** Pairs of keys, neither of which may see the other's resources. */
const NEIGHBOURS: Record<string, [owner: string, neighbour: string]> = {
  "another project": [
    (await api.createChild(root, { projectId: project })).key,
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

const lists = keyed.filter(
  (operation) =>
    operation.method === "GET" &&
    ("nextCursor" in operation.output.shape || operation.id.endsWith(".list")) &&
    ownedParams(operation).length === 0,
);
const ownParams = [...new Set(keyed.flatMap(ownedParams))].filter((param) => param !== "projectId");

/** Pairs of keys whose lists must not meet, with the owner's project if it has one. */
const LISTING: Record<string, [owner: string, neighbour: string, projectId: string | null]> = {
  "another account": [root, (await api.createRootKey()).key, project],
  "another project": [...defined(NEIGHBOURS["another project"]), project],
  "another end user": [...defined(NEIGHBOURS["another end user"]), null],
};

const INSTALLATION = "The installation's, the same for everybody.";

/** Lists that show an owner none of the resources, with the reason. */
const SHOWS_NONE: Record<string, string> = {
  "services.list": INSTALLATION,
  "capabilities.list": INSTALLATION,
  "capabilities.read": INSTALLATION,
  "actions.list": INSTALLATION,
  "trading.markets.list": INSTALLATION,
  "trading.prices.list": INSTALLATION,
  "swaps.tokens.list": INSTALLATION,
  "trading.positions.list": "It needs wallets with assets on a chain.",
  "credits.ledger.list": "None of the resources costs credits.",
};
/** Lists of resources that belong to the account as a whole, which a key bound to an end user can't create. */
const OF_ACCOUNT = ["projects.list"];

const seeding = new Map<string, Promise<string[]>>();

/** Returns the ids of one resource of each kind that the owner has. */
function seedsOf(relation: string): Promise<string[]> {
  const [owner, , projectId] = defined(LISTING[relation]);
  const seeds =
    seeding.get(relation) ??
    Promise.all([projectId ?? [], ...ownParams.map((param) => createResource(api, owner, param))].flat());
  seeding.set(relation, seeds);
  return seeds;
}

describe.for(Object.keys(LISTING))("to %s", (relation) => {
  const [owner, neighbour, projectId] = defined(LISTING[relation]);

  test.for(lists)(
    "$operationId lists none of an owner's resources, and some to the owner",
    async (operation) => {
      const seeds = await seedsOf(relation);
      const path = withQuery(pathOf(operation), "limit" in (operation.query?.shape ?? {}) ? "limit=100" : "");
      const [toOwner, toNeighbour] = await Promise.all(
        [owner, neighbour].map(async (key) => JSON.stringify((await call(operation, key, { path })).body)),
      );
      const isBare =
        Object.hasOwn(SHOWS_NONE, operation.id) || (projectId === null && OF_ACCOUNT.includes(operation.id));
      expect(seeds.some((id) => toOwner?.includes(id))).toBe(!isBare);
      expect(seeds.filter((id) => toNeighbour?.includes(id))).toEqual([]);
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
