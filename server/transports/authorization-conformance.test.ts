import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { defined } from "#server/base/defined.ts";
import { freePort } from "#server/boot/processes.ts";
import { runConformance } from "#server/testing/conformance.ts";
import { signUpAndIn } from "#server/testing/console.ts";
import { CHOICE, connectApp, startOAuthApi } from "#server/testing/oauth.ts";

const api = await startOAuthApi();
const person = await signUpAndIn(api);
const { client, server } = await connectApp(api);

/** Acts as a signed-in person's browser at the address that the suite prints. */
async function allowWhatIsPrinted({ stdout }: ChildProcess) {
  for await (const line of createInterface({ input: defined(stdout) })) {
    if (!line.startsWith(`${server.authorization_endpoint}?`)) continue;
    const asked = await fetch(line, { redirect: "manual" });
    const consent = new URL(defined(asked.headers.get("location")));
    const requestId = consent.searchParams.get("request");
    const { data } = await person.mutate("apps.allow", { requestId, ...CHOICE });
    await fetch(data.redirectTo);
  }
}

test("passes every scenario for authorization servers", async () => {
  const options = [
    `--url=${api.origin}`,
    `--client-id=${client.client_id}`,
    `--resource=${api.origin}/mcp`,
    `--port=${await freePort()}`,
  ];
  const scenarios = await runConformance("authorization", options, allowWhatIsPrinted);
  expect(Object.fromEntries(scenarios)).toEqual({
    "authorization-server-metadata-endpoint": ["SUCCESS", "SUCCESS"],
    "authorization-code-grant": ["SUCCESS"],
  });
});
