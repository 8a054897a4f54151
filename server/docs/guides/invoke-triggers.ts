import { type Block, samples } from "../page.ts";

export const HEADERS = `-H "Authorization: Bearer $API_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json"`;

/** Returns a call of `managed-triggers` by curl. */
export function curlOf(baseUrl: string, body: string): string {
  return `curl --fail-with-body -X POST "${baseUrl}/v1/services/managed-triggers/invoke" \\\n  ${HEADERS} \\\n  -d '${body}'`;
}

/** Returns the same call of `managed-triggers` in both languages. */
export function invoke(baseUrl: string, operationId: string, input: object): Block {
  const body = JSON.stringify({ operationId, input });
  return samples({
    sh: curlOf(baseUrl, body),
    ts: `console.log(await platform.services.invoke("managed-triggers", ${body}));`,
  });
}
