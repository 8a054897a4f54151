import { appendFileSync } from "node:fs";
import { startNode } from "../children.ts";

/** Starts a process that never ends by itself and holds the run's output open; writes its pid down. */
export function startIdle() {
  const child = startNode(["-e", "setInterval(() => undefined, 1000)"]);
  appendFileSync(process.env.CHILDREN ?? "", `${child.pid}\n`);
  return child;
}
