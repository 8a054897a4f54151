"use client";

import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Field } from "#components/form/field.tsx";
import type { FieldOf } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { cn } from "#components/ui/cn.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { TextLink } from "#components/ui/link.tsx";

/** An event of the catalogue. */
export type CatalogueEvent = { type: string; description: string };

/** Examples of events' `data`; events with the same data share the first one's example. */
type Examples = readonly (readonly [type: string, data: unknown])[];

const ALL = "*";

/** A field for events of the catalogue: all, all of a resource, or single ones. */
export function EventsField({
  catalogue,
  examples,
  name,
  value,
  onChange,
  error,
}: FieldOf<string[]> & { catalogue: readonly CatalogueEvent[]; examples: Examples }) {
  const families = Map.groupBy(catalogue, ({ type }) => type.split(".", 1)[0] ?? "");
  const known = new Set([ALL, ...[...families.keys()].map(allOf), ...catalogue.map(({ type }) => type)]);
  const all = value.includes(ALL);
  const toggle = (pattern: string, on: boolean) =>
    onChange(on ? [...value, pattern] : value.filter((other) => other !== pattern));

  return (
    <Field
      name={name}
      label="Events"
      error={error}
      group
      hint={
        <>
          The <TextLink href="/docs/events">catalogue</TextLink> has an example of each.
        </>
      }
    >
      {() => (
        <>
          <Checkbox
            label="All events"
            hint="Those that come to be later, too."
            checked={all}
            onChange={(event) => onChange(event.target.checked ? [ALL] : [])}
          />
          {!all && (
            <ul className="flex flex-col border-t">
              {value
                .filter((pattern) => !known.has(pattern))
                .map((pattern) => (
                  <li key={pattern} className="border-b py-1">
                    <Checkbox label={pattern} checked onChange={() => toggle(pattern, false)} />
                  </li>
                ))}
              {[...families].map(([family, events]) => (
                <Family
                  key={family}
                  family={family}
                  events={events}
                  examples={examples.filter(([type]) => events.some((event) => event.type === type))}
                  value={value}
                  onToggle={toggle}
                />
              ))}
            </ul>
          )}
        </>
      )}
    </Field>
  );
}

const allOf = (family: string) => `${family}.*`;

function Family({
  family,
  events,
  examples,
  value,
  onToggle,
}: {
  family: string;
  events: readonly CatalogueEvent[];
  examples: Examples;
  value: readonly string[];
  onToggle: (pattern: string, on: boolean) => void;
}) {
  const pattern = allOf(family);
  const whole = value.includes(pattern);
  const picked = events.filter(({ type }) => value.includes(type)).length;
  const [open, setOpen] = useState(picked > 0);
  const [shown, setShown] = useState(false);
  return (
    <li className="border-b py-1">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Checkbox
          label={<span className="font-mono text-13">{pattern}</span>}
          checked={whole}
          onChange={(event) => onToggle(pattern, event.target.checked)}
        />
        <Button
          variant="ghost"
          size="sm"
          className="ml-auto"
          aria-expanded={shown}
          aria-label={`Examples of ${family}`}
          onClick={() => setShown(!shown)}
        >
          Examples
        </Button>
        {!whole && (
          <Button
            variant="ghost"
            size="sm"
            aria-expanded={open}
            aria-label={`${picked > 0 ? `${picked} of ` : ""}${events.length} events of ${family}`}
            onClick={() => setOpen(!open)}
          >
            {picked > 0 && `${picked} of `}
            {events.length}
            <ChevronDown aria-hidden className={cn("size-4", open && "rotate-180")} />
          </Button>
        )}
      </div>
      {shown &&
        examples.map(([type, data]) => (
          <CodeBlock key={type} label={`${type}, its data`} code={JSON.stringify({ type, data }, null, 2)} />
        ))}
      {!whole && open && (
        <div className="pl-6">
          {events.map(({ type, description }) => (
            <Checkbox
              key={type}
              label={<span className="font-mono text-13">{type}</span>}
              hint={description}
              checked={value.includes(type)}
              onChange={(event) => onToggle(type, event.target.checked)}
            />
          ))}
        </div>
      )}
    </li>
  );
}
