import { configDefaults, defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** Runs the tests that apply to every transport again through `next start`; needs the production build. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [
      "server/boot/copy-runtime.test.ts",
      "server/boot/http/next-start.test.ts",
      "server/laws/http.test.ts",
      "server/laws/tenancy.test.ts",
      "server/laws/uploads.test.ts",
      "server/transports/follow-changes.test.ts",
      "server/transports/mcp.test.ts",
    ],
    exclude: configDefaults.exclude,
    globalSetup: "server/testing/next-setup.ts",
  },
});
