import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { FIELD_NAMES, log, redact } from "./log.ts";

const write = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
afterEach(() => write.mockClear());

function lastLine() {
  return String(write.mock.lastCall?.[0]);
}

test("writes one JSON object a line, with an error and its causes", () => {
  const error = new Error("Outer.", { cause: new Error("Inner.") });
  log.warn("Something is odd.", { requestId: "req_1", credits: 10n, error });
  const line = lastLine();
  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(line)).toMatchObject({
    level: "warn",
    message: "Something is odd.",
    requestId: "req_1",
    credits: "10",
    error: { name: "Error", message: "Outer.", cause: { message: "Inner." } },
  });
});

test("writes the message of a cause that is no error, as of a JSON-RPC response", () => {
  log.warn("Refused.", {
    error: new Error("Outer.", { cause: { code: -32003, message: "already known" } }),
  });
  expect(JSON.parse(lastLine())).toMatchObject({ error: { message: "Outer.", cause: "already known" } });
});

test("redacts everything in the form of a secret", () => {
  log.error("Refused svc_live_0123456789abcdef.", {
    reason: "svc_credit_abc",
    subject: "whsec_MTIzNA==",
    host: "postgres://app:pass@host/db",
  });
  expect(JSON.parse(lastLine())).toMatchObject({
    message: "Refused svc_live_[redacted].",
    reason: "svc_credit_[redacted]",
    subject: "whsec_[redacted]",
    host: "postgres://app:[redacted]@host/db",
  });
  expect(redact("svc_lively whsecret")).toBe("svc_lively whsecret");
});

test("logs an expected error without a stack or the values of its query", () => {
  const cause = Object.assign(new Error("connection to server was lost\n    at line 2"), { code: "57P01" });
  const error = Object.assign(new Error("Failed query: select $1\nparams: of a customer"), {
    query: "select $1",
    params: ["of a customer"],
    cause,
  });
  log.warn("It is tried again.", { error });
  expect(JSON.parse(lastLine()).error).toEqual({
    name: "Error",
    message: "A query failed.",
    query: "select $1",
    cause: { name: "Error", message: "connection to server was lost", code: "57P01" },
  });
});

test("says of a defect where our own files made it", () => {
  log.error("A request failed.", { error: new TypeError("nothing is not a function") });
  const { error } = JSON.parse(lastLine());
  expect(error.message).toBe("nothing is not a function");
  expect(error.at[0]).toContain("server/base/log.test.ts");
  expect(error.at.join()).not.toContain("node_modules");
});

test("writes no line of more than 4 KB", () => {
  const error = new Error("x".repeat(20_000), { cause: new Error("y".repeat(20_000)) });
  const many = Array.from({ length: 1000 }, (_, index) => `run_${index}`);
  log.error("z".repeat(300), { requestId: "req_1", error, processes: many });
  expect(lastLine().length).toBeLessThan(4100);
  expect(JSON.parse(lastLine())).toMatchObject({ level: "error", requestId: "req_1" });
  const fields = Object.fromEntries(many.map((name) => [name, "a".repeat(400)]));
  log.error("Too much.", fields);
  expect(lastLine().length).toBeLessThan(4100);
  expect(JSON.parse(lastLine())).toMatchObject({ level: "error", message: "Too much." });
});

test("every field is explained in the operators' guide, and no other", () => {
  const guide = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const [, section = ""] = /\n## Log\n(.*?)\n## /s.exec(guide) ?? [];
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const names = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)]);
  expect(names.map(([, name]) => name).sort()).toEqual(["time", "level", "message", ...FIELD_NAMES].sort());
});
