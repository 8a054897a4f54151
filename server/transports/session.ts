import type { HttpRequest } from "#server/base/http-message.ts";
import { sessionEnded } from "#server/members/person.ts";
import { cookieOf, readSessionToken, sessionCookie } from "#server/members/session-token.ts";
import type { Credential } from "#server/operation/call.ts";
import { ApiError } from "#server/operation/errors.ts";
import type { Operation } from "#server/operation/operation.ts";
import { operations } from "#server/operations.ts";
import { platform } from "#server/platform.ts";
import { createHttpHandler } from "./http.ts";
import { senderOf } from "./request.ts";

/**
 * Returns the handler by which a signed-in person's browser calls operations that tRPC cannot carry: those with bytes,
 * streams, or payments in headers.
 */
export function createSessionHandler(all: readonly Operation[]) {
  const served = all.filter(
    ({ surfaces, raw, bytes, stream, payment }) =>
      surfaces.includes("console") && (raw || bytes || stream || payment),
  );
  return createHttpHandler(served, {
    prefix: "/api/bytes",
    transport: "console",
    sender: async (request, operation) => ({
      ...senderOf(request, operation),
      credential: await sessionOf(request),
    }),
  });
}

/** `/api/bytes`. */
export const handleSession = createSessionHandler(operations);

async function sessionOf({ headers, method }: HttpRequest): Promise<Credential> {
  refuseForeign(headers, method);
  const session = await readSessionToken(cookieOf(headers.cookie ?? null, sessionCookie()));
  if (!session) throw sessionEnded();
  return { type: "member", ...session };
}

/** Refuses requests from other origins: browsers send the session cookie with requests of any page. */
function refuseForeign(headers: HttpRequest["headers"], method: string): void {
  const { baseUrl } = platform().settings;
  const origin = headers.origin;
  const site = headers["sec-fetch-site"] ?? "none";
  const reads = method === "GET" || method === "HEAD";
  if (origin === baseUrl || (reads && origin === undefined && ["none", "same-origin"].includes(site))) return;
  throw new ApiError(
    "policy_denied",
    `The request comes from ${origin ?? "another page"}; only pages of ${baseUrl} (BASE_URL) may act.`,
  );
}
