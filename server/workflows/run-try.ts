import type { BlockFailure } from "#server/runs/run-context.ts";
import type { Frame, Runner } from "./frame.ts";
import type { TryStep } from "./schema.ts";

/** The minimum time of `finally`, even if the enclosing deadline leaves less. */
const FINALLY_SECONDS = 60;

/**
 * Runs `try`, then `catch` if it fails, then `finally` in any case; only `try` is bounded by the step's own time limit.
 */
export async function runTry(
  { run, runSteps }: Runner,
  { steps, catch: handler, finally: last }: TryStep,
  path: string,
  { tried, around }: { tried: Frame; around: Frame },
): Promise<unknown> {
  await run.step(path, async () => null);
  const isCaught = ({ code }: BlockFailure) =>
    handler !== undefined && (handler.on?.some((caught) => caught === code) ?? true);
  const isTaken = (failure: BlockFailure) => last !== undefined || isCaught(failure);

  let end = await run.guard(path, isTaken, (onlyRead) => runSteps(steps, path, within(tried, onlyRead)));
  const error = end.failure;
  if (handler && error && isCaught(error)) {
    const block = `${path}[catch]`;
    end = await run.guard(
      block,
      () => last !== undefined,
      (onlyRead) => runSteps(handler.steps, block, { ...within(around, onlyRead), error }),
    );
  }
  if (last) await runSteps(last, `${path}[finally]`, { ...around, deadline: await latest() });
  if (end.failure) throw end.reason;
  return end.value;

  async function latest(): Promise<number | null> {
    const { deadline } = around;
    if (deadline === null) return null;
    const least = await run.note(`${path}[finally]:deadline`, async () => run.now() + FINALLY_SECONDS * 1000);
    return Math.max(deadline, least);
  }
}

function within(frame: Frame, onlyRead: boolean): Frame {
  return onlyRead ? { ...frame, bounds: { state: "over", around: frame.bounds } } : frame;
}
