import type { Instrumentation } from "next";

/**
 * Starts the platform where Next.js runs by itself (`next start`). Node loads it from the sources, as `npm start` does,
 * since a bundle knows no folder of migrations.
 */
export async function register(): Promise<void> {
  // This file is bundled for a runtime without processes too.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { sourceFolder } = await import("#server/base/source-folder.ts");
    // Below the platform's own server, which has started the platform.
    if (sourceFolder()) return;
    const { pathToFileURL } = await import("node:url");
    const file = `${pathToFileURL(process.cwd())}/server/boot/http/next-start.ts`;
    const loading: Promise<typeof import("#server/boot/http/next-start.ts")> = import(
      /* turbopackIgnore: true */ file
    );
    const { startInNext } = await loading.catch((error) => {
      const advice = "Run `npx next start` in the project's folder.";
      console.error(`The platform can't be loaded from ${process.cwd()}. ${advice}\n${error}`);
      // Next.js would go on, and answer 500 to everything.
      process.exit(1);
    });
    await startInNext();
  }
}

/** Logs why a page or a route failed: Next.js answers 500 by itself and says nothing. */
export const onRequestError: Instrumentation.onRequestError = async (
  error,
  { method, path },
  { routePath },
) => {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { log } = await import("#server/base/log.ts");
    log.error("A page failed.", { method, path, route: routePath, error });
  }
};
