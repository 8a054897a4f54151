import { expect, onTestFinished, test, vi } from "vitest";
import { startApi } from "#server/testing/api.ts";
import { startRequestLog } from "./request-log.ts";

const api = await startApi();

test("logs a line for each call while it is on, without anything of its content", async () => {
  const { key, accountId } = await api.createRootKey();
  const write = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  onTestFinished(() => write.mockRestore());
  const ended = () =>
    write.mock.calls
      .map(([line]) => JSON.parse(String(line)))
      .filter(({ message }) => message === "A call ended.");

  const requests = startRequestLog();
  await api.mustSend(201, "POST", "/v1/projects", { key, body: { name: "Confidential" } });
  const refused = await api.send("POST", "/v1/projects", { key, body: { name: "" } });
  await api.send("GET", "/v1/projects", { key: "svc_live_unknown" });
  requests.stop();
  await api.mustSend(200, "GET", "/v1/projects", { key });

  const line = { level: "info", transport: "api", durationMs: expect.any(Number) };
  expect(ended()).toMatchObject([
    { ...line, accountId, operationId: "projects.create", status: 201 },
    {
      ...line,
      accountId,
      operationId: "projects.create",
      status: 400,
      code: "invalid_request",
      requestId: refused.headers.get("x-request-id"),
    },
    { ...line, operationId: "projects.list", status: 401, code: "unauthenticated" },
  ]);
  expect(ended()[2]).not.toHaveProperty("accountId");
  expect(JSON.stringify(write.mock.calls)).not.toContain("Confidential");
});
