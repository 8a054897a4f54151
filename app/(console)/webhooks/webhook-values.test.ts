import { expect, test } from "vitest";
import { updateInput, valuesOf } from "#app/(console)/webhooks/webhook-values.ts";
import { UpdateWebhook } from "#server/webhooks/schema.ts";

const webhook = {
  url: "https://example.com/hooks",
  events: ["run.*", "of.another.version"],
  filter: [
    { path: "data.run.status", op: "in" as const, value: ["failed, expired", "true", 5, null] },
    { path: "data.credits", op: "gte" as const, value: 12.5 },
  ],
  payload: "thin" as const,
  description: "Runs, to the back office",
};

test("a webhook is unchanged after opening and saving it", () => {
  expect(updateInput(valuesOf(webhook))).toEqual(webhook);
  const empty = { ...webhook, filter: null, description: null };
  expect(updateInput(valuesOf(empty))).toEqual(empty);
  // An omitted header keeps its sealed value. Pausing has buttons of its own.
  const elsewhere = ["headers", "status"];
  const sent = Object.keys(updateInput(valuesOf(webhook)));
  expect([...sent, ...elsewhere].sort()).toEqual(Object.keys(UpdateWebhook.shape).sort());
});
