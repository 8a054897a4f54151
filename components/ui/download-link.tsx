import { Download } from "lucide-react";

/** A button that downloads from an address; nothing without one. */
export function DownloadLink({ url, name }: { url: string | null; name: string }) {
  if (url === null) return null;
  return (
    <a
      href={url}
      download={name}
      className="inline-flex h-8 items-center gap-1.5 rounded-md border border-line-strong/60 bg-canvas px-3 font-medium text-14 hover:bg-hover"
    >
      <Download aria-hidden className="size-4" />
      Download
    </a>
  );
}
