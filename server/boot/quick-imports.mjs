import { registerHooks } from "node:module";

// For each of 1900 imports Node looks for the package.json above the importing and the imported module; drizzle-orm's
// has 180 KB of exports. Together that is two fifths of a start's processor time.
const root = new URL("../../", import.meta.url).href;
const MODULES_OF_PACKAGES = /\/node_modules\/(drizzle-orm|zod|jose|viem\/_esm|ox\/_esm|abitype\/dist\/esm)\//;
const found = new Map();

/** The module that an import names as a file; undefined where Node itself is to find it. */
function findFile(specifier, parent = "") {
  if (/^#(server|db)\/.+\.ts$/.test(specifier))
    return { url: root + specifier.slice(1), format: "module-typescript" };
  const isModule = MODULES_OF_PACKAGES.test(parent);
  if (isModule && /^\.\.?\/.+\.js$/.test(specifier))
    return { url: new URL(specifier, parent).href, format: "module" };
  if (parent.startsWith(root) && !parent.includes("/node_modules/") && /^\.\.?\/.+\.ts$/.test(specifier))
    return { url: new URL(specifier, parent).href, format: "module-typescript" };
  return undefined;
}

registerHooks({
  resolve(specifier, context, next) {
    if (!context.conditions.includes("import")) return next(specifier, context);
    const file = findFile(specifier, context.parentURL);
    if (file) return { ...file, shortCircuit: true };
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context);
    const resolved = found.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
    found.set(specifier, resolved);
    return resolved;
  },
});
