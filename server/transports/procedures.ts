import { initTRPC, TRPCError } from "@trpc/server";
import { newId } from "#server/ids.ts";
import type { SessionToken } from "#server/members/session-token.ts";
import { ApiError, errorBody } from "#server/operation/errors.ts";
import { platform } from "#server/platform.ts";
import { asPlatformError, trpcCodeOf } from "./trpc-errors.ts";

/** What a call of the console brings beside its input. */
export interface ConsoleContext {
  requestId: string;
  session: SessionToken | null;
  /** Where the page that calls was loaded from; null for calls by the server's own rendering. */
  origin: string | null;
  idempotencyKeys: readonly string[];
  /** `X-Service-Project`: what the console is narrowed to. */
  project: string | null;
  ip: string | null;
  userAgent: string | null;
  /** `Set-Cookie` headers that the answer gets. */
  cookies: string[];
}

export const t = initTRPC.context<ConsoleContext>().create({
  sse: {
    ping: { enabled: true, intervalMs: 15_000 },
    // The page connects anew then: nothing that was lost on its way stays unseen, no ended session is kept.
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
        /** The `error` of the platform's envelope (WIRE.md, "Errors"), with what the console has to ask for first. */
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

/** A browser sends the Origin of the page with every POST: only our own pages may act for the person. */
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
