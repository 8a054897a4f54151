import { openAsBlob } from "node:fs";
import { plainText } from "./output.ts";

const EVERY_MS = 100;
const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** Shows on standard error how many bytes have been transferred, in one line that is overwritten. */
export interface Progress {
  show(doing: string, bytes: number): void;
  /** Clears the line. */
  end(): void;
}

/** Returns the progress line of a file if standard error is a terminal; otherwise null, because lines would pile up. */
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

/** Returns a file whose reading is shown: it is read first for its hash, then to be sent, and again on each retry. */
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
