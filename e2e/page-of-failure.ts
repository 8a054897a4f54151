import { readFileSync } from "node:fs";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

/** Where the report goes on with the test's own source. */
const SOURCE = "# Test source";

/** Prints what the page of a failed test showed: of a run elsewhere, its output is often all that is left. */
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
