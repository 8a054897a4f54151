import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { OperatorService } from "#server/services/manifest.ts";
import { createExampleService } from "#server/testing/example-service/service.ts";
import { declaredExample } from "#server/testing/operator-services.ts";
import { startPeer } from "#server/testing/peer.ts";
import { commandPath } from "#server/testing/program-path.ts";
import { portOf } from "../processes.ts";

const folder = mkdtempSync(join(tmpdir(), "services-check-"));
const declared = declaredExample({});
const example = createExampleService(declared.signingSecret).listen(0, "127.0.0.1");
await new Promise((resolve) => example.once("listening", resolve));
const baseUrl = `http://127.0.0.1:${portOf(example)}`;
afterAll(() => {
  example.close();
  rmSync(folder, { recursive: true });
});

/** Runs `npm run services -- check` on this manifest. */
function check(manifest: unknown): Promise<{ code: number; output: string }> {
  const file = join(folder, "services.json");
  writeFileSync(file, JSON.stringify(manifest));
  return new Promise((resolve) =>
    execFile(process.execPath, [commandPath("services"), "check", file], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}`.replaceAll(file, "FILE") }),
    ),
  );
}

const services = (changes: Partial<OperatorService>) => ({ services: [{ ...declared, ...changes }] });

test("finds nothing wrong with the documented example", async () => {
  expect(await check(services({ baseUrl }))).toEqual({
    code: 0,
    output: `✓ FILE declares 1 services.

example-desk at ${baseUrl}
  ✓ is reachable
  ✓ greet refuses a call without a signature (401)
  ✓ greet refuses a call with a wrong signature (401)
  ✓ greet refuses a call of ten minutes ago (401)
  ✓ greet answers its example: 200, 2 credits
  ✓ count refuses a call without a signature (401)
  ✓ count refuses a call with a wrong signature (401)
  ✓ count refuses a call of ten minutes ago (401)
  ✓ count answers its example: 200, 3 credits
  ✓ reserve refuses a call without a signature (401)
  ✓ reserve refuses a call with a wrong signature (401)
  ✓ reserve refuses a call of ten minutes ago (401)
  – reserve was not called: it changes something
  ✓ cancel refuses a call without a signature (401)
  ✓ cancel refuses a call with a wrong signature (401)
  ✓ cancel refuses a call of ten minutes ago (401)
  – cancel was not called: it changes something

No faults.
`,
  });
});

test("finds a service that believes anybody, and answers otherwise than it says", async () => {
  const peer = await startPeer(() => ({ body: { greeting: 5 } }));
  const [greet] = declared.operations;
  const { code, output } = await check(services({ baseUrl: peer.origin, operations: [greet as never] }));
  expect(code).toBe(1);
  expect(output).toContain(
    "✗ greet does not refuse a call with a wrong signature: answered 200, not 401 or 403",
  );
  expect(output).toContain(
    "✗ greet Service example-desk answered against its outputSchema (result.greeting:",
  );
  expect(output).toContain("Faults: 4.");
});

test("names every fault of a manifest, and a service that is not there", async () => {
  const faulty = await check(
    services({ id: "managed-memory", baseUrl: "ftp://x", timeoutMs: 0, signingSecret: "short" }),
  );
  expect(faulty.code).toBe(1);
  for (const path of ["id: The platform's own", "baseUrl", "timeoutMs", "signingSecret"])
    expect(faulty.output).toContain(`✗ services.0.${path}`);
  const peer = await startPeer(() => ({}));
  await peer.stop();
  const gone = await check(services({ baseUrl: peer.origin }));
  expect(gone).toMatchObject({
    code: 1,
    output: expect.stringContaining("✗ is not reachable: The connection"),
  });
});
