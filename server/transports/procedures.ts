import { initTRPC, TRPCError } from "@trpc/server";
import { newId } from "#server/base/ids.ts";
import type { SessionToken } from "#server/members/session-token.ts";
import { ApiError, errorBody } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { asPlatformError, trpcCodeOf } from "./trpc-errors.ts";

/** The context of a console call beside its input. */
export interface ConsoleContext {
  requestId: string;
  session: SessionToken | null;
  /** The origin of the calling page; null for calls by the server's own rendering. */
  origin: string | null;
  idempotencyKeys: readonly string[];
  /** `X-Service-Project`: the project that the console is restricted to. */
  project: string | null;
  ip: string | null;
  userAgent: string | null;
  /** `Set-Cookie` headers for the response. */
  cookies: string[];
}

export const t = initTRPC.context<ConsoleContext>().create({
  sse: {
    ping: { enabled: true, intervalMs: 15_000 },
    // The page then reconnects, so that lost messages are noticed and no ended session stays connected.
    maxDurationMs: 2 * 60_000,
  },
  errorFormatter({ shape, error, path, ctx }) {
    const requestId = ctx?.requestId ?? newId("request");
    const reason = asPlatformError(error, requestId);
    return {
      code: shape.code,
      message: reason.message,
      data: {
        code: shape.data.code,
        httpStatus: reason.status,
        path,
        /** The `error` of the platform's envelope, with the proof that the console has to ask for first. */
        error: {
          ...errorBody(reason, requestId, platform().settings.baseUrl),
          needs: reason.details.needs,
        },
      },
    };
  },
});

/** A query. */
export const read = t.procedure;

/** Requires the Origin of our own pages: browsers send it with every POST. */
export const write = read.use(({ ctx, next }) => {
  const { baseUrl } = platform().settings;
  if (ctx.origin === baseUrl) return next();
  throw failureOf(
    new ApiError(
      "policy_denied",
      `The request comes from ${ctx.origin ?? "no page"}; only pages of ${baseUrl} (BASE_URL) may act.`,
    ),
  );
});

/** An error of the platform, thrown through tRPC. */
export function failureOf(error: ApiError): TRPCError {
  return new TRPCError({ code: trpcCodeOf(error.status), message: error.message, cause: error });
}
