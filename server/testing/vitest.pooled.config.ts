import { configDefaults, defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** Runs the laws over HTTP again behind a transaction pooler. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["server/laws/http.test.ts", "server/laws/tenancy.test.ts", "server/laws/uploads.test.ts"],
    exclude: configDefaults.exclude,
    globalSetup: "server/testing/pooled-setup.ts",
  },
});
