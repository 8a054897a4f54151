import { type HttpHandler, reply } from "#server/base/http-message.ts";
import { MAX_JSON_BYTES } from "#server/operation/json-body.ts";

const HEADERS = { "content-type": "text/plain; charset=utf-8" };

/**
 * A test endpoint of the platform for customers who have none yet: it accepts every delivery and stores nothing; the
 * console shows each delivery with its body and this response.
 */
export const handleInspection: HttpHandler = async (request) => {
  if (request.method !== "POST")
    return reply("Webhooks are delivered here by POST. The console shows each delivery.\n", {
      status: 405,
      headers: { ...HEADERS, allow: "POST" },
    });
  let bytes = 0;
  for await (const chunk of request.streamBody() ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_JSON_BYTES)
      return reply("No delivery is that large.\n", { status: 413, headers: HEADERS });
  }
  return reply("Received. Look into it at the webhook's deliveries.\n", { status: 200, headers: HEADERS });
};
