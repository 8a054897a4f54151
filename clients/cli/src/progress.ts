import { openAsBlob } from "node:fs";
import { plainText } from "./output.ts";

const EVERY_MS = 100;
const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** Shows on standard error how many bytes of something have passed, in one line that is written over. */
export interface Progress {
  show(doing: string, bytes: number): void;
  /** Clears the line. */
  end(): void;
}

/** The progress of a file where standard error is a terminal; null elsewhere, where lines would pile up. */
export function progressOf(name: string, total: number): Progress | null {
  if (!process.stderr.isTTY) return null;
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(total, 1)) / 3));
  const inUnits = (bytes: number) => (bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1);
  const write = (text: string) => process.stderr.write(`\r\u001b[K${text}`);
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(doing, bytes) {
      const now = performance.now();
      if (bytes < total && now - shownAt < EVERY_MS) return;
      shownAt = now;
      const line = `${doing} ${inUnits(bytes)} of ${inUnits(total)} ${UNITS[power]}: ${plainText(name)}`;
      write(line.slice(0, (process.stderr.columns ?? 80) - 1));
    },
    end: () => void write(""),
  };
}

/** A file whose reading is shown: its hash is made first, then it is sent, anew where that fails. */
export async function shownFile(path: string, progress: Progress): Promise<Blob> {
  const file = await openAsBlob(path);
  const open = file.stream.bind(file);
  let doing = "Hashing";
  file.stream = () => {
    const shown = doing;
    doing = "Uploading";
    let bytes = 0;
    const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        progress.show(shown, bytes);
        controller.enqueue(chunk);
      },
    });
    return open().pipeThrough(counting);
  };
  return file;
}
