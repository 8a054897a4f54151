import { open } from "node:fs/promises";
import type { FileCalls } from "./file-calls.ts";

type FileHandle = Awaited<ReturnType<typeof open>>;

/** An open file, each use of which is a bounded call. */
export interface BoundedFile {
  use<Result>(work: (handle: FileHandle) => Promise<Result>, ms?: number): Promise<Result>;
  /** Closes it. */
  close(): Promise<void>;
  /** Closes it as soon as the running call has ended, however late. */
  abandon(): void;
}

/** Opens a file for bounded use. If it opens too late it is closed again, after `undo`. */
export async function openBounded(
  calls: FileCalls,
  path: string,
  flags: "r" | "wx",
  undo?: () => Promise<unknown>,
): Promise<BoundedFile> {
  const handle = await calls.call(() => open(path, flags, 0o600), {
    undo(late) {
      calls.later(() => late.close());
      if (undo) calls.later(undo);
    },
  });
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  function use<Result>(work: (handle: FileHandle) => Promise<Result>, ms?: number): Promise<Result> {
    return calls.call(
      () => {
        const made = work(handle);
        last = made;
        return made;
      },
      ms === undefined ? {} : { ms },
    );
  }

  return {
    use,
    close: () =>
      use(() => {
        closed = true;
        return handle.close();
      }),
    abandon() {
      const close = () => {
        if (!closed) calls.later(() => handle.close());
        closed = true;
      };
      void last.then(close, close);
    },
  };
}
