/** Shows the keyboard shortcut of an action: `<KeyboardHint keys={["g", "p"]} />`. */
export function KeyboardHint({ keys }: { keys: readonly string[] }) {
  return (
    <span className="inline-flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded-md border bg-sunken px-1 text-center font-sans text-12 text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
