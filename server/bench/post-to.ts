import { newId } from "../base/ids.ts";

/** Returns a function that calls the API on a loopback port. */
export function postTo(port: number) {
  return async (path: string, headers: Record<string, string>, body: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": newId("request"), ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
}
