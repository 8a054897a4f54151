/** Shows a round mark that helps to find a network or token in a list; its name is always beside it. */
export function Mark({ name }: { name: string }) {
  const [letter = ""] = name.match(/[\p{L}\p{N}]/u) ?? [];
  return (
    <span
      aria-hidden
      className="mr-1.5 inline-flex size-5 shrink-0 items-center justify-center rounded-full border bg-sunken align-middle font-medium text-12 text-muted uppercase leading-none"
    >
      {letter}
    </span>
  );
}
