import { routes } from "#components/routes.ts";
import { CopyButton } from "#components/ui/copyable.tsx";
import { TextLink } from "#components/ui/link.tsx";
import { Section } from "#components/ui/section.tsx";

/** The last step; the codes are shown this once. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <Section
      title="Recovery codes"
      description="The second factor is on. Each of these codes signs you in once without the app. Keep them where you keep your passwords: they are not shown again."
      action={<CopyButton text={codes.join("\n")} what="all recovery codes" />}
    >
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-1 rounded-md border p-4 font-mono text-13"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p>
        <TextLink href={routes.security()}>I have kept them</TextLink>
      </p>
    </Section>
  );
}
