import { type HttpHandler, reply } from "#server/http-message.ts";

const HEADERS = { "content-type": "text/plain; charset=utf-8" };

/**
 * An endpoint of the platform's own, for those who have none yet: it takes whatever is delivered and keeps nothing, as the
 * console shows each delivery with its body and this answer.
 */
export const handleInspection: HttpHandler = async (request) => {
  if (request.method !== "POST")
    return reply("Webhooks are delivered here by POST. The console shows each delivery.\n", {
      status: 405,
      headers: { ...HEADERS, allow: "POST" },
    });
  await request.readBody();
  return reply("Received. Look into it at the webhook's deliveries.\n", { status: 200, headers: HEADERS });
};
