import { AsyncLocalStorage } from "node:async_hooks";

interface Turn {
  end(): void;
}

const turns = new AsyncLocalStorage<Turn>();

/** Does the work of a call that has a turn (`operation/start-turns.ts`); it may have none. */
export function withinTurn<Result>(turn: Turn | null, work: () => Promise<Result>): Promise<Result> {
  return turn ? turns.run(turn, work) : work();
}

/** Ends the turn of the current call, which waits for somebody else from now on; without one, does nothing. */
export function endTurn(): void {
  turns.getStore()?.end();
}
