import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { apiOperations } from "#server/operations.ts";
import { startApi } from "#server/testing/api.ts";
import { openApiDocument } from "./openapi/document.ts";

const api = await startApi();
const file = fileURLToPath(new URL("./openapi.json", import.meta.url));
const run = promisify(execFile);

test("openapi.json matches the registry", () => {
  const derived = `${JSON.stringify(openApiDocument(apiOperations, ""), null, 2)}\n`;
  expect(readFileSync(file, "utf8") === derived, "It is not; run `npm run openapi` and commit it.").toBe(
    true,
  );
});

test("openapi.json passes Redocly's recommended rules without a warning", async () => {
  const { stdout, stderr } = await run(
    fileURLToPath(new URL("../../node_modules/.bin/redocly", import.meta.url)),
    ["lint", "--extends=recommended", "--format=json", file],
    { env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
  ).catch((error) => error);
  expect(JSON.parse(stdout || stderr).problems).toEqual([]);
});

test("serves the document at the root and under /v1, with the platform's own address", async () => {
  const [root, v1] = [await api.send("GET", "/openapi.json"), await api.send("GET", "/v1/openapi.json")];
  expect(root.status).toBe(200);
  expect(root.body.openapi).toBe("3.1.0");
  expect(root.body.servers).toEqual([{ url: "http://platform.test/v1", description: "The API." }]);
  expect(v1.body).toEqual(root.body);
  expect(root.headers.get("access-control-allow-origin")).toBe("*");
  expect(root.headers.get("x-request-id")).toMatch(/^req_/);
});

test("answers 304 to a client that has the document", async () => {
  const etag = defined((await api.send("GET", "/openapi.json")).headers.get("etag"));
  const fresh = await api.send("GET", "/v1/openapi.json", {
    headers: { "if-none-match": `"old", W/${etag}` },
  });
  expect(fresh.status).toBe(304);
  expect(fresh.body).toBeNull();
  expect(fresh.headers.get("etag")).toBe(etag);
  const stale = await api.send("GET", "/openapi.json", { headers: { "if-none-match": '"old"' } });
  expect(stale.status).toBe(200);
});

test("accepts only GET and HEAD", async () => {
  const head = await api.send("HEAD", "/openapi.json");
  expect([head.status, head.body]).toEqual([200, null]);
  const post = await api.send("POST", "/v1/openapi.json", { body: {} });
  expect([post.status, post.headers.get("allow"), post.body.error.code]).toEqual([
    405,
    "GET",
    "method_not_allowed",
  ]);
});

test("describes every event by the schema that validates it before it is sent", () => {
  const { webhooks, components } = JSON.parse(readFileSync(file, "utf8"));
  const { schema, examples } = webhooks.event.post.requestBody.content["application/json"];
  expect(Object.keys(examples)).toEqual(expect.arrayContaining(["api_key.created", "credits.low"]));
  expect(examples["project.created"].value).toMatchObject({
    type: "project.created",
    data: { project: { name: "Web shop" } },
  });
  expect(schema).toEqual({ $ref: "#/components/schemas/WebhookEvent" });
  const thin = webhooks.thinEvent.post.requestBody.content["application/json"];
  expect(thin.schema).toEqual({ $ref: "#/components/schemas/ThinEvent" });
  expect(thin.examples.default.value).toMatchObject({
    type: "project.created",
    resource: expect.stringMatching(/^proj_/),
  });
  const event = components.schemas.ProjectEvent;
  expect(components.schemas.WebhookEvent.oneOf).toContainEqual({ $ref: "#/components/schemas/ProjectEvent" });
  expect(event.allOf[0]).toEqual({ $ref: "#/components/schemas/EventEnvelope" });
  expect(event.allOf[1].properties.type.enum).toEqual([
    "project.created",
    "project.updated",
    "project.archived",
  ]);
  expect(event.description).toContain("`project.archived`: A project was archived.");
  expect(event["x-scope"]).toBe("projects:read");
  expect(components.schemas.CreditsLowEvent.allOf[1].properties.type.const).toBe("credits.low");
  expect(components.schemas.ProjectEventData.properties.project).toEqual({
    $ref: "#/components/schemas/Project",
  });
});
