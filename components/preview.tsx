"use client";

import { useQuery } from "@tanstack/react-query";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { Scrolling } from "#components/ui/scrolling.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

const TEXT_BYTES = 65_536;
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];
const TEXTS = ["application/json", "application/x-ndjson", "application/xml", "application/yaml"];

type Content = { name: string; mediaType: string; sizeBytes: number };

/** Shows bytes without executing anything in them: images, and the beginning of texts. Other types are never shown. */
export function Preview({ content, url }: { content: Content; url: string | null }) {
  const type = content.mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (url === null || content.sizeBytes === 0) return null;
  if (IMAGES.includes(type)) return <Picture name={content.name} url={url} />;
  if (type.startsWith("text/") || TEXTS.includes(type)) return <TextPreview content={content} url={url} />;
  return (
    <p className="text-13 text-muted">Files of this type are not shown here. Download it to look inside.</p>
  );
}

function Picture({ name, url }: { name: string; url: string }) {
  return (
    // biome-ignore lint/performance/noImgElement: the picture is the customer's own, and is not to be processed.
    <img src={url} alt={name} className="max-h-96 rounded-md border object-contain" />
  );
}

function TextPreview({ content, url }: { content: Content; url: string }) {
  const { data, error } = useQuery({
    queryKey: ["preview", new URL(url).pathname.slice(0, 120), content.sizeBytes],
    queryFn: async () => {
      const response = await fetch(url, { headers: { range: `bytes=0-${TEXT_BYTES - 1}` } });
      if (!response.ok) throw await response.json();
      return response.text();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorNotice what="The content could not be loaded." error={error} />;
  if (data === undefined) return <Skeleton className="h-40" />;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Scrolling label={`Content of ${content.name}`} className="max-h-96 rounded-md border bg-sunken p-3">
        <pre className="whitespace-pre-wrap break-words font-mono text-12">{data}</pre>
      </Scrolling>
      {content.sizeBytes > TEXT_BYTES && (
        <p className="text-12 text-muted">The first 64 KB. Download it for the rest.</p>
      )}
    </div>
  );
}
