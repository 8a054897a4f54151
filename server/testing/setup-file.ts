import { afterAll, beforeAll } from "vitest";
import { cleanUp, setCollecting } from "./cleanup.ts";

// Runs before each test file. The file before it may have failed while it was read, which runs none of its hooks.
setCollecting(false);
await cleanUp();
setCollecting(true);
beforeAll(() => setCollecting(false));
afterAll(cleanUp);
