import { afterAll, beforeAll, beforeEach } from "vitest";
import { cleanUp, setCollecting } from "./cleanup.ts";
import { addAnswers, forgetAnswers } from "./last-answers.ts";
import { keepLogLines } from "./log-lines.ts";

// Runs before each test file. A previous file that failed while it was collected has run none of its hooks.
setCollecting(false);
await cleanUp();
setCollecting(true);
keepLogLines();
beforeAll(() => setCollecting(false));
afterAll(cleanUp);
beforeEach(({ onTestFailed }) => {
  forgetAnswers();
  onTestFailed(addAnswers);
});
