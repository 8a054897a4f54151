import { registerHooks } from "node:module";
// First, since the hooks that are registered last are asked first.
import "../../boot/quick-imports.mjs";

// Loaded before a process of the platform that is tortured. Pages are left out: they take longer to start than all the
// rest, and need a build.
const WITHOUT_PAGES = new URL("without-pages.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "./next.ts" && context.parentURL?.endsWith("/boot/parts.ts"))
      return { url: WITHOUT_PAGES, format: "module-typescript", shortCircuit: true };
    return next(specifier, context);
  },
});
