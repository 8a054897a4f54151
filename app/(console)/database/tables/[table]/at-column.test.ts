import { expect, test } from "vitest";
import { atColumn } from "#app/(console)/database/tables/[table]/at-column.ts";

const columns = [{ name: "id" }, { name: "note" }];
const failed = (message: string) => ({
  data: {
    error: {
      code: "invalid_request",
      message: `body.actions.0: ${message}`,
      issues: [{ path: "body.actions.0", message }],
    },
  },
});

test("a fault that names a column stands at its field", () => {
  const message = 'null value in column "note" of relation "orders" violates not-null constraint.';
  expect(atColumn(failed(message), columns)).toMatchObject({
    error: { code: "invalid_request", message: `note: ${message}`, issues: [{ path: "note", message }] },
  });
});

test("a fault that names none stays as it is", () => {
  const fault = failed('duplicate key value violates unique constraint "orders_pkey".');
  expect(atColumn(fault, columns)).toBe(fault);
  expect(atColumn(null, columns)).toBe(null);
});
