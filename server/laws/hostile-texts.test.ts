import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { DIRECTION } from "#server/operation/fields.ts";
import type { Operation } from "#server/operation/operation.ts";
import { everyOperation } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { startTestChain } from "#server/testing/chain.ts";
import { chainBody } from "#server/testing/chain-bodies.ts";
import { signInMember } from "#server/testing/console.ts";
import { createPayingKey } from "#server/testing/credits.ts";
import { createResource, ownedParams, pathOf } from "#server/testing/resources.ts";
import { fieldsOf } from "#server/testing/schema-fields.ts";

const chain = await startTestChain();
const api = await startApi({ settings: { chains: [chain.settings] } });
const { key, accountId } = await createPayingKey(api, 10_000);
const owner = await signInMember(api, accountId, "owner");

const MARKUP = `<img src=x onerror="document.title='bent'">`;
const TEXTS = {
  "10,000 characters": "x".repeat(10_000),
  "a mark that turns the direction": "invoice-\u202egnp.exe",
  markup: MARKUP,
};

/** Fields that no page shows as a name, with the reason. */
const NOT_SHOWN: Record<string, RegExp> = {
  "Names a resource, which then does not exist (body-ids.test.ts).": /Ids?$/,
  "Names a result to continue, an approval's content or a device's request.":
    /\.(cursor|payloadHash|userCode)$/,
  "Is never returned.": /\.(secret|debounce\.key)$/,
  "Names a step of a run, which then does not exist.": /^runs\.steps\.test body\.step$/,
  "SQL, values and names of the account's own database, which PostgreSQL judges.": /^databases\./,
  "What is signed, to the byte; its display makes the characters visible.": /^wallets\.signatures\./,
  "Is compared with a signature, and not stored.": /^webhooks\.signature\.check/,
  "A person's decision on an app's request (oauth).": /^apps\.allow/,
};

/** Bodies to which a field belongs that the operation's example has not. */
const AROUND: Record<string, object> = {
  "runs.create body.concurrency[].key": { concurrency: [{ limit: 1 }] },
  "webhooks.create body.filter[].path": { filter: [{ op: "exists" }] },
  "webhooks.create body.filter[].value[]": { filter: [{ path: "data.file.name", op: "in" }] },
  "webhooks.update body.filter[].path": { filter: [{ op: "exists" }] },
  "webhooks.update body.filter[].value[]": {
    events: ["file.created"],
    filter: [{ path: "data.file.name", op: "in" }],
  },
  "connections.create body.username": { authType: "basic", headerName: undefined },
  "connections.create body.clientId": {
    authType: "oauth2_client_credentials",
    headerName: undefined,
    tokenUrl: "https://api.example.com/token",
  },
};

const isText = (schema: z.ZodType) => schema.safeParse(MARKUP).success && !schema.safeParse([]).success;
const fields = everyOperation.flatMap((operation) =>
  [...new Map(operation.body ? fieldsOf(operation.body, "body") : [])]
    .filter(([, schema]) => isText(schema))
    .map(([place]) => ({ operation, place, field: `${operation.operationId} ${place}` }))
    .filter(({ field }) => !Object.values(NOT_SHOWN).some((excepted) => excepted.test(field))),
);

/** Returns the body with the text at these steps; a list gets one element. */
function withText(body: unknown, [step, ...rest]: readonly string[], text: string): unknown {
  if (step === undefined) return text;
  if (step === "[]") return [withText(Array.isArray(body) ? body[0] : undefined, rest, text)];
  const whole = (body ?? {}) as Record<string, unknown>;
  return { ...whole, [step]: withText(whole[step], rest, text) };
}

const stepsOf = (place: string) => place.replaceAll("[]", ".[]").split(".").slice(1);
const contact = () => ({ name: "Ada", address: privateKeyToAddress(generatePrivateKey()) });
/** Bodies of the console's own operations, which have no example. */
const OF_CONSOLE: Record<string, () => object> = {
  "wallets.contacts.create": contact,
  "apiKeys.delegate": () => ({ label: "Backend", scopes: ["projects:read"] }),
};
/** Creates the resources that the parameters of these operations name. */
const OWN_PARAMS: Record<string, () => Promise<string>> = {
  contactId: async () => (await owner.mutate("wallets.contacts.create", contact())).data.contact.id,
  parentId: () => createResource(api, key, "id"),
};

/** Sends a body as the operation's surface takes it; returns the status, the fault and the whole answer as text. */
async function send(operation: Operation, ids: Record<string, string>, body: object) {
  if (operation.surfaces.includes("api")) {
    const answer = await api.send(operation.method, pathOf(operation, ids), { key, body });
    return { status: answer.status, error: answer.body.error, data: answer.body };
  }
  return owner.mutate(operation.id, { ...ids, ...body });
}

async function idsOf(operation: Operation): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const param of ownedParams(operation))
    ids[param] = await (OWN_PARAMS[param]?.() ?? createResource(api, key, param));
  return ids;
}

/** Returns the output of a page that reads the same path; nothing where there is none. */
async function readBack(operation: Operation, ids: Record<string, string>): Promise<unknown> {
  const read = everyOperation.find(
    ({ method, path, surfaces }) => method === "GET" && path === operation.path && surfaces.includes("api"),
  );
  return read && operation.surfaces.includes("api")
    ? await api.mustSend(200, "GET", pathOf(read, ids), { key })
    : undefined;
}

const contains = (data: unknown, text: string) =>
  JSON.stringify(data).includes(JSON.stringify(text).slice(1, -1));

describe.for(fields)("$field", ({ operation, place, field }) => {
  test.for(Object.entries(TEXTS))("refuses %s by its name, or returns it exactly", async ([, text]) => {
    const ids = await idsOf(operation);
    const example = operation.surfaces.includes("api")
      ? await chainBody(operation, { api, key, chain, ids })
      : OF_CONSOLE[operation.id]?.();
    const body = withText({ ...example, ...AROUND[field] }, stepsOf(place), text) as object;
    const { status, error, data } = await send(operation, ids, body);
    if (status < 300) {
      expect(contains(data, text), JSON.stringify(data)).toBe(true);
      const shown = await readBack(operation, ids);
      expect(shown === undefined || contains(shown, text)).toBe(true);
      return;
    }
    expect(status, JSON.stringify(error)).toBe(400);
    expect(error.issues[0].path).toBe(place.replaceAll("[]", ".0"));
    expect(JSON.stringify(error)).not.toMatch(DIRECTION);
  });
});

test("the fields include those of bodies, lists and the console's own operations", () => {
  expect(fields.map(({ field }) => field)).toEqual(
    expect.arrayContaining([
      "projects.create body.name",
      "approvals.decide body.reason",
      "runs.create body.tags[]",
      "wallets.contacts.update body.note",
      "account.update body.name",
    ]),
  );
});
