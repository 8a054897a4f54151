import { afterEach, expect, test, vi } from "vitest";
import { log, redact } from "./log.ts";

const write = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
afterEach(() => write.mockClear());

function lastLine() {
  return String(write.mock.lastCall?.[0]);
}

test("writes one JSON object a line, with an error and its causes", () => {
  const error = new Error("Outer.", { cause: new Error("Inner.") });
  log.warn("Something is odd.", { requestId: "req_1", size: 10n, error });
  const line = lastLine();
  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(line)).toMatchObject({
    level: "warn",
    message: "Something is odd.",
    requestId: "req_1",
    size: "10",
    error: { name: "Error", message: "Outer.", cause: { message: "Inner." } },
  });
});

test("blanks whatever has the shape of a secret", () => {
  log.error("Refused svc_live_0123456789abcdef.", {
    token: "svc_credit_abc",
    hook: "whsec_MTIzNA==",
    url: "postgres://app:pass@host/db",
  });
  expect(JSON.parse(lastLine())).toMatchObject({
    message: "Refused svc_live_[redacted].",
    token: "svc_credit_[redacted]",
    hook: "whsec_[redacted]",
    url: "postgres://app:[redacted]@host/db",
  });
  expect(redact("svc_lively whsecret")).toBe("svc_lively whsecret");
});
