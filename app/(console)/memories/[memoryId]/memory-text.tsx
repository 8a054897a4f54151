import { CopyButton } from "#components/ui/copyable.tsx";
import { Scrolling } from "#components/ui/scrolling.tsx";

/** The content of a memory, with its lines wrapped as prose is. */
export function MemoryText({ content }: { content: string }) {
  return (
    <div className="relative min-w-0 rounded-md border bg-sunken">
      <span className="absolute top-1.5 right-2">
        <CopyButton text={content} what="text" />
      </span>
      <Scrolling label="text" className="max-h-96 py-3 pr-10 pl-3">
        <p className="whitespace-pre-wrap break-words">{content}</p>
      </Scrolling>
    </div>
  );
}
