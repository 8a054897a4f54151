import { afterAll, beforeAll } from "vitest";
import { cleanUp, setCollecting } from "./cleanup.ts";

// Runs before each test file. A previous file that failed while it was collected has run none of its hooks.
setCollecting(false);
await cleanUp();
setCollecting(true);
beforeAll(() => setCollecting(false));
afterAll(cleanUp);
