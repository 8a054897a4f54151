import type { ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { plainText } from "#components/ui/plain-name.ts";

/** A titled part of a page: `<Section title="Limits" action={<Button>Edit</Button>}>…</Section>`. */
export function Section({
  title,
  description,
  action,
  id,
  className,
  children,
}: {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  id?: string;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <section id={id} className={cn("flex scroll-mt-16 min-w-0 flex-col gap-3", className)}>
      <header className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="font-semibold text-16">{title}</h2>
          {description && <p className="text-13 text-muted">{description}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}

/** A bordered box for one resource or one number. Never nest them. */
export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn("min-w-0 rounded-md border bg-canvas p-4", className)}>{children}</div>;
}

/** A headline number of a page: `<Figure label="Requests" value="1,204" hint="last 30 days" />`. */
export function Figure({ label, value, hint }: { label: string; value: ReactNode; hint?: ReactNode }) {
  return (
    <Card className="flex flex-col gap-1">
      <span className="text-13 text-muted">{label}</span>
      <span className="break-words font-semibold text-20 tabular-nums">{value}</span>
      {hint && <span className="text-12 text-muted">{hint}</span>}
    </Card>
  );
}

/** Names and values of a resource: `<Facts items={[{ name: "Id", value: <Copyable value={id} /> }]} />`. */
export function Facts({ items }: { items: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className="@container">
      {items.map(({ name, value }) => (
        <div
          key={name}
          className="grid grid-cols-1 items-baseline gap-x-6 gap-y-0.5 border-b py-2 @sm:grid-cols-[8rem_1fr] @2xl:grid-cols-[12rem_1fr]"
        >
          <dt className="text-13 text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{plainText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
