import fc from "fast-check";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { exactSelectors } from "#server/catalogue/selectors.ts";
import { SCOPE_NAMES } from "#server/operation/scopes.ts";
import { platform } from "#server/platform.ts";
import { services } from "#server/services/registry.ts";
import { startApi } from "#server/testing/api.ts";
import { type caller, signUpAndIn } from "#server/testing/console.ts";

const api = await startApi();
const selectors = exactSelectors(platform().operations);
const names = selectors.map(({ selector }) => selector);
const serviceIds = services().map(({ id }) => id);

const most = <Value>(values: readonly Value[]) =>
  fc.subarray([...values], { minLength: Math.ceil(values.length * 0.6) });
/** A key's boundary, which permits a large part of everything. */
const boundary = fc.record({
  scopes: most(SCOPE_NAMES).map((scopes) => [...new Set([...scopes, "api_keys:manage"])]),
  services: fc.oneof(
    fc.constant({}),
    most(serviceIds).map((allowedServices) => ({ allowedServices })),
    fc.subarray([...serviceIds], { maxLength: 2 }).map((excludedServices) => ({ excludedServices })),
  ),
  operations: fc.oneof(
    fc.constant({}),
    most(names).map((allowedOperations) => ({ allowedOperations })),
    fc.subarray(["services.invoke", "runs.create", ...names], { maxLength: 8 }).map((excludedOperations) => ({
      excludedOperations,
    })),
  ),
});

/** Returns a boundary narrowed by the parent's access, because a child is never wider. */
function within(access: Access, { scopes, services, operations }: Boundary) {
  const held = new Set(access.scopes.filter(({ allowed }) => allowed).map(({ scope }) => scope));
  const reached = new Set(access.services.filter(({ allowed }) => allowed).map(({ id }) => id));
  const open = new Set(access.operations.filter(({ denied }) => !denied).map(({ selector }) => selector));
  const chosen = { ...services, ...operations } as Record<string, string[]>;
  return {
    scopes: scopes.filter((scope) => held.has(scope)),
    ...chosen,
    ...(chosen.allowedServices && {
      allowedServices: chosen.allowedServices.filter((id) => reached.has(id)),
    }),
    ...(chosen.allowedOperations && {
      allowedOperations: chosen.allowedOperations.filter((selector) => open.has(selector)),
    }),
  };
}

type Boundary = typeof boundary extends fc.Arbitrary<infer Value> ? Value : never;
interface Access {
  scopes: { scope: string; allowed: boolean }[];
  services: { id: string; allowed: boolean }[];
  operations: { selector: string; denied: { check: string; keyId: string } | null }[];
}

async function accessOf(member: ReturnType<typeof caller>, keyId: string): Promise<Access> {
  return (await member.query("apiKeys.access.read", { keyId })).data.access;
}

/** Returns the access decision on a call under each exact selector; the calls fail at their headers or body. */
async function decisionsOn(key: string) {
  return Promise.all(
    selectors.map(async ({ selector, operation, target }) => {
      const path = operation.path
        .replace("{serviceId}", String(target.serviceId))
        .replace(/\{\w+\}/g, "none");
      const body = operation.usesServices ? { body: target } : {};
      const answer = await api.send(operation.method, `/v1${path}`, { key, idempotencyKey: null, ...body });
      const { check, keyId } = answer.body?.error ?? {};
      return { selector, denied: check ? { check, keyId } : null };
    }),
  );
}

test("explains each operation as admission decides on a call of it, for generated chains of keys", async () => {
  const member = await signUpAndIn(api);
  const chains = fc.array(boundary, { minLength: 1, maxLength: 4 });
  const sample = fc.subarray(names, { minLength: 5, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(chains, sample, async ([root, ...below], explained) => {
      const made = await member.mutate("apiKeys.create", {
        label: "Root",
        ...within(await accessOfMember(), defined(root)),
      });
      let { apiKey, secret } = made.data;
      for (const one of below) {
        const access = await accessOf(member, apiKey.id);
        const child = await member.mutate("apiKeys.delegate", {
          parentId: apiKey.id,
          label: "Child",
          ...within(access, one),
        });
        expect(child).toMatchObject({ status: 200 });
        ({ apiKey, secret } = child.data);
      }
      const decisions = await decisionsOn(secret);
      const { operations } = await accessOf(member, apiKey.id);
      expect(operations.map(({ selector, denied }) => ({ selector, denied }))).toEqual(decisions);
      for (const operation of explained) {
        const { data } = await member.query("apiKeys.access.explain", { keyId: apiKey.id, operation });
        const decided = decisions.find(({ selector }) => selector === operation);
        expect({ operation, deniedBy: data.decision.deniedBy }).toEqual({
          operation,
          deniedBy: decided?.denied,
        });
      }
    }),
    { numRuns: 12 },
  );

  async function accessOfMember(): Promise<Access> {
    return (await member.query("apiKeys.access.read", {})).data.access;
  }
});
