import { describe, expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import type { Operation } from "#server/operation/operation.ts";
import { everyApiOperation } from "#server/operations.ts";
import { operatorServices } from "#server/services/operator-services.ts";
import { type Answered, startApi, unique } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { chainBody } from "#server/testing/chain-bodies.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { exampleBody } from "#server/testing/example-bodies.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { createResource, missingId, ownedParams, pathOf } from "#server/testing/resources.ts";

const chain = await startTestChain();
const service = declaredExample({});
const api = await startApi({
  settings: { chains: [chain.settings], services: operatorServices([service]) },
});
const { key: root } = await createPayingKey(api, 1_000);
const { key: other } = await createPayingKey(api, 1_000);

async function bound(): Promise<string> {
  const body = { name: unique("Project") };
  const { project } = (await api.send("POST", "/v1/projects", { key: root, body })).body;
  return (await api.createChild(root, { projectId: project.id })).key;
}

const RELATIONS: Record<string, [owner: string, neighbour: string]> = {
  "another account": [other, root],
  "another project": [await bound(), await bound()],
  "another end user": [
    (await api.createChild(root, { endUser: "ada" })).key,
    (await api.createChild(root, { endUser: "bob" })).key,
  ],
};

/** Fields with the form of an id that name no resource of an account, with the reason. */
const NO_RESOURCE: Record<string, string> = {
  serviceId: "A service of the installation.",
  operationId: "An operation of a service.",
  clientId: "The id under which another system knows the account.",
};
/** Fields of resources that belong to the account as a whole, whatever its keys are bound to. */
const OF_ACCOUNT = ["projectId"];

const fields = everyApiOperation.flatMap((operation) =>
  Object.keys(operation.body?.shape ?? {})
    .filter((field) => /Ids?$/.test(field) && !Object.hasOwn(NO_RESOURCE, field))
    .map((field) => ({ operation, field, param: field.replace(/s$/, "") })),
);

const greet = { operationId: "greet", input: { name: "Ada" } };
const erase = { operationId: "delete", input: { name: "greeting" } };

/** Calls that take the field, where the operation's example does not. */
const CALLS: Record<string, { ids?: Record<string, string>; body: object }> = {
  "services.invoke connectionId": { ids: { serviceId: service.id }, body: greet },
  "services.invoke approvalId": { body: erase },
  "runs.create connectionId": { body: { serviceId: service.id, ...greet } },
  "runs.create approvalId": { body: { serviceId: "managed-memory", ...erase } },
};

async function callOf(operation: Operation, field: string, key: string) {
  const own: Record<string, string> = {};
  for (const param of ownedParams(operation)) own[param] = await createResource(api, key, param);
  const { ids = own, body } = CALLS[`${operation.id} ${field}`] ?? {};
  const onChain = field === "walletId" ? await chainBody(operation, { api, key, chain, ids: own }) : null;
  return { path: pathOf(operation, ids), body: body ?? onChain ?? exampleBody(operation) };
}

/** Returns a response as text, without the parts that may differ between two of them: the request, and the sent id. */
function comparable({ status, headers, body }: Answered, id: string): string {
  const requestId = defined(headers.get("x-request-id"));
  return JSON.stringify({ status, body }).replaceAll(requestId, "<request>").replaceAll(id, "<id>");
}

test.for(fields.filter(({ field, param }) => field === param))(
  "$operation.operationId answers a malformed $field as one that is missing",
  async ({ operation, field, param }) => {
    const { path, body } = await callOf(operation, field, root);
    const ids = ["nonsense", missingId(param)];
    const answers = await Promise.all(
      ids.map(async (id) => {
        const sent = { ...body, [field]: id };
        return comparable(await api.send(operation.method, path, { key: root, body: sent }), id);
      }),
    );
    expect(answers[0]).toBe(answers[1]);
  },
);

describe.for(Object.keys(RELATIONS))("of %s", (relation) => {
  const [owner, neighbour] = defined(RELATIONS[relation]);
  const tried = fields.filter(({ field }) => relation === "another account" || !OF_ACCOUNT.includes(field));

  test.for(tried)(
    "$operation.operationId takes no $field, as one that is missing",
    async ({ operation, field, param }) => {
      const { path, body } = await callOf(operation, field, neighbour);
      const ids = [await createResource(api, owner, param), missingId(param)];
      const answers = await Promise.all(
        ids.map(async (id) => {
          const sent = { ...body, [field]: field === param ? id : [id] };
          return comparable(await api.send(operation.method, path, { key: neighbour, body: sent }), id);
        }),
      );
      expect(answers[0]).toBe(answers[1]);
      expect(answers[0]).toContain("<id>");
    },
  );
});
