/** The mark and the name, for the sidebar and the sign-in pages. */
export function Brand() {
  return (
    <span className="flex items-center gap-2 font-semibold text-14">
      <svg aria-hidden="true" viewBox="0 0 20 20" className="size-5 text-accent">
        <rect width="20" height="20" rx="5" fill="currentColor" />
        <path
          d="M5.5 7h9M5.5 10h6M5.5 13h9"
          stroke="var(--accent-ink)"
          strokeWidth="1.75"
          strokeLinecap="round"
        />
      </svg>
      Managed Services
    </span>
  );
}
