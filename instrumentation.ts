import type { Instrumentation } from "next";

/** Logs why a page or a route failed: Next.js answers 500 by itself and says nothing. */
export const onRequestError: Instrumentation.onRequestError = async (
  error,
  { method, path },
  { routePath },
) => {
  // This file is bundled for a runtime without processes too.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { log } = await import("#server/log.ts");
    log.error("A page failed.", { method, path, route: routePath, error });
  }
};
