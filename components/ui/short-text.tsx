/** Shows a short form of a text; selecting, copying, hovering and screen readers get the complete text. */
export function ShortText({ short, full }: { short: string; full: string }) {
  if (short === full) return <span className="min-w-0 break-words">{full}</span>;
  return (
    <span className="relative min-w-0" title={full}>
      <span aria-hidden="true" className="select-none whitespace-nowrap">
        {short}
      </span>
      <span className="sr-only">{full}</span>
    </span>
  );
}
