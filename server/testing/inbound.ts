import type { Answered, startApi } from "./api.ts";
import { remember, triggersDo } from "./triggers.ts";

type Api = Awaited<ReturnType<typeof startApi>>;

/** Creates a trigger that a webhook starts; returns it with its address. */
export async function putInbound(
  api: Api,
  key: string,
  webhook: object,
  more: object = {},
  where?: unknown[],
) {
  const on = { webhook, ...(where && { where }) };
  const { trigger } = await triggersDo(api, key, "put", { name: "inbound", on, start: remember, ...more });
  return { ...trigger, address: trigger.on.webhook.address };
}

/** Delivers a body to an address, on this machine. */
export async function deliver(
  api: Api,
  address: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(address.replace("http://platform.test", api.origin), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: body as BodyInit,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
