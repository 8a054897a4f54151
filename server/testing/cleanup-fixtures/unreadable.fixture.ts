import { startIdle } from "./idle.ts";

startIdle();
throw new Error("On purpose.");
