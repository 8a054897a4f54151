import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";
import { LOOKED_AT } from "./looks.ts";
import { pageRoutes } from "./page-routes.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Fails a complete test run in which `expectGoodLooks` was not called for some page. */
export default class EveryPage implements Reporter {
  #whole = false;
  readonly #left = new Set(pageRoutes);

  onBegin(_config: FullConfig, suite: Suite) {
    const files = new Set(suite.allTests().map(({ location }) => location.file));
    this.#whole = globSync("*.spec.ts", { cwd: folder }).every((file) => files.has(folder + file));
  }

  onTestEnd(_test: TestCase, { annotations }: TestResult) {
    for (const { type, description = "" } of annotations)
      if (type === LOOKED_AT) this.#left.delete(description);
  }

  async onEnd() {
    if (!this.#whole || this.#left.size === 0) return undefined;
    console.log(`No test has looked at these pages (expectGoodLooks): ${[...this.#left].join(", ")}`);
    return { status: "failed" as const };
  }

  printsToStdio() {
    return false;
  }
}
