/** Shows a short form of a text; selecting, copying, hovering and screen readers get the complete text. */
export function Whole({ shown, whole }: { shown: string; whole: string }) {
  if (shown === whole) return <span className="min-w-0 break-words">{whole}</span>;
  return (
    <span className="relative min-w-0" title={whole}>
      <span aria-hidden="true" className="select-none whitespace-nowrap">
        {shown}
      </span>
      <span className="sr-only">{whole}</span>
    </span>
  );
}
