import { inDigits } from "#components/ui/digits.ts";

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** Formats bytes: `48.2 KB`, with 1,024 bytes per KB. */
export function sizeText(bytes: number): string {
  if (bytes === 1) return "1 byte";
  const power = Math.min(UNITS.length - 1, bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  const digits = power === 0 || value >= 100 ? 0 : 1;
  return `${inDigits(value, digits)} ${UNITS[power]}`;
}

/** Shows a size, with the exact number on hover: `<Size bytes={file.sizeBytes} />`. */
export function Size({ bytes }: { bytes: number }) {
  return (
    <span className="whitespace-nowrap tabular-nums" title={`${inDigits(bytes)} bytes`}>
      {sizeText(bytes)}
    </span>
  );
}
