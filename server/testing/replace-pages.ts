import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

// Loaded before a process of the platform under test, which may be of another release. Pages are replaced: they take
// longer to start than everything else, and need a build.
const WITHOUT_PAGES = new URL("without-pages.ts", import.meta.url).href;

// First, because hooks that are registered last run first; that release's own, which resolves its own modules.
const quickImports = new URL("quick-imports.mjs", pathToFileURL(process.argv[1] ?? ""));
if (existsSync(quickImports)) await import(quickImports.href);

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "./next.ts" && context.parentURL?.endsWith("/boot/parts.ts"))
      return { url: WITHOUT_PAGES, format: "module-typescript", shortCircuit: true };
    return next(specifier, context);
  },
});
