import { registerHooks } from "node:module";

// npm installs @hey-api/openapi-ts beside the project's TypeScript 7, which has no JavaScript API: this gives it the
// workspace's TypeScript 5. `overrides` cannot name the peer of a workspace's dependency.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === "typescript" ? { ...context, parentURL: import.meta.url } : context),
});
const { createClient } = await import("@hey-api/openapi-ts");
const [input, output] = process.argv.slice(2);
await createClient({ input, output, logs: { level: "silent" } });
