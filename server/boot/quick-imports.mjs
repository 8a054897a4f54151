import { registerHooks } from "node:module";

// drizzle-orm's package.json has 180 KB of exports, which Node parses anew at each of 500 imports: a quarter of what a
// start costs the processor.
const found = new Map();

registerHooks({
  resolve(specifier, context, next) {
    if (!context.conditions.includes("import")) return next(specifier, context);
    if (/^\.\.?\/.+\.js$/.test(specifier) && context.parentURL?.includes("/node_modules/drizzle-orm/"))
      return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context);
    const resolved = found.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
    found.set(specifier, resolved);
    return resolved;
  },
});
