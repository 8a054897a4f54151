import { CopyButton } from "#components/ui/copyable.tsx";
import { plainName } from "#components/ui/plain-name.ts";
import { Scrolling } from "#components/ui/scrolling.tsx";

/** Code to copy: `<CodeBlock label="curl" code={…} />`. Long lines scroll inside the block. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <figure className="min-w-0 rounded-md border bg-sunken">
      <figcaption className="flex h-8 items-center justify-between border-b pr-1 pl-3 text-12 text-muted">
        {label}
        <CopyButton text={code} what={label} />
      </figcaption>
      <Scrolling label={label} className="max-h-96 p-3">
        <pre className="font-mono text-12">
          <code>{plainName(code)}</code>
        </pre>
      </Scrolling>
    </figure>
  );
}
