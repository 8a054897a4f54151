import { readFileSync } from "node:fs";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

/** The heading after which the report contains the test's own source. */
const SOURCE = "# Test source";

/** Prints the page of a failed test: of a run elsewhere, its output is often all that remains. */
export default class PageOfFailure implements Reporter {
  onTestEnd({ title }: TestCase, { status, attachments }: TestResult) {
    if (status !== "failed" && status !== "timedOut") return;
    for (const { name, path } of attachments)
      if (name === "error-context" && path)
        console.log(`${title}\n${readFileSync(path, "utf8").split(SOURCE)[0]}`);
  }

  printsToStdio() {
    return false;
  }
}
