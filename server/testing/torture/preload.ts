import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
// First, because hooks that are registered last run first.
import "../../boot/quick-imports.mjs";

// Loaded before a process of the platform under test. Pages are replaced: they take longer to start than everything
// else, and need a build.
const WITHOUT_PAGES = new URL("without-pages.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "./next.ts" && context.parentURL?.endsWith("/boot/parts.ts"))
      return { url: WITHOUT_PAGES, format: "module-typescript", shortCircuit: true };
    return next(specifier, context);
  },
});

// The process's clock is offset by the milliseconds in a file, with effect at once.
const clockFile = process.env.TORTURE_CLOCK ?? "";
const rightNow = Date.now;
let wrongBy = 0;
const look = () => {
  wrongBy = Number(readFileSync(clockFile, "utf8"));
};
look();
setInterval(look, 100).unref();

Date.now = () => rightNow() + wrongBy;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [target.now()], made),
});
