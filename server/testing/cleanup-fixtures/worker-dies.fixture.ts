import { test } from "vitest";
import { startIdle } from "./idle.ts";

startIdle();

test("has its worker killed while one process runs and another is stopped", () => {
  startIdle().kill("SIGSTOP");
  process.kill(process.pid, "SIGKILL");
});
