import { expect, test } from "vitest";
import { everyOperation } from "#server/operations.ts";
import { ownServices } from "#server/services/own-services.ts";
import { fieldsOf } from "#server/testing/schema-fields.ts";

const SHOWN = /\.(label|name|title|description|reason|summary)$/;

/** Fields that take characters which turn the direction of text, with the reason. */
const TAKEN: Record<string, string> = {
  "databases.actions body.actions[].columns[].name":
    "A name in the account's own database, in its exact characters.",
  "wallets.signatures.quote body.typedData.domain.name":
    "What is signed, to the byte; its display makes the characters visible.",
  "managed-memory put input.name":
    "The application's own key of a text; sentences that quote it make the characters visible.",
  "managed-memory get input.name": "Finds the memory of that name.",
  "managed-memory delete input.name": "Finds the memory of that name.",
};

const bodies = everyOperation.flatMap(({ operationId, body }) =>
  body ? [...fieldsOf(body, `${operationId} body`)] : [],
);
const inputs = ownServices.flatMap(({ id: service, capabilities }) =>
  capabilities.flatMap(({ id, input }) => [...fieldsOf(input, `${service} ${id} input`)]),
);
const shown = [...bodies, ...inputs].filter(([place]) => SHOWN.test(place));

test("every text that people read refuses characters that turn its direction, or says why not", () => {
  const taking = shown.filter(([, field]) => field.safeParse("invoice-\u202egnp.exe").success);
  expect([...new Set(taking.map(([place]) => place))]).toEqual(Object.keys(TAKEN));
});

test("the texts include those of nested fields and of the services' operations", () => {
  const places = shown.map(([place]) => place);
  expect(places).toEqual(
    expect.arrayContaining([
      "projects.create body.description",
      "approvals.decide body.reason",
      "webhooks.update body.description",
      "managed-workflows execute input.workflow.steps[].summary",
      "managed-workflows put input.description",
    ]),
  );
});
