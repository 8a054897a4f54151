"use client";

import { useContext, useState } from "react";
import { JsonField } from "#components/form/json-field.tsx";
import { SchemaField } from "#components/form/schema-field.tsx";
import { ServerIssues } from "#components/form/server-issues.ts";
import { asObject, type InputForm } from "#components/form/use-input-form.ts";
import { Segments } from "#components/ui/segments.tsx";

const views = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
];

/** Shows the fields of a JSON Schema, or the whole input as JSON: `<InputEditor form={useInputForm(schema)} />`. */
export function InputEditor({ form }: { form: InputForm }) {
  const [view, setView] = useState("form");
  const { variants, variant, choose } = form;
  const fields = variants[variant]?.fields;
  return (
    <>
      {fields && (
        <div className="flex flex-wrap gap-3">
          <Segments
            label="Fill in as"
            options={views}
            value={view}
            onChange={(next) => {
              setView(next);
              form.forgetFaults();
            }}
          />
          {view === "form" && variants.length > 1 && (
            <Segments
              label="Which way"
              options={variants.map(({ title }, index) => ({ value: String(index), label: `By ${title}` }))}
              value={String(variant)}
              onChange={(next) => choose(Number(next))}
            />
          )}
        </div>
      )}
      {fields && view === "form" ? <Fields form={form} /> : <WholeInput form={form} />}
    </>
  );
}

function Fields({ form: { values, variants, variant, setProperty, faults, setFault } }: { form: InputForm }) {
  const issues = useContext(ServerIssues);
  const fields = variants[variant]?.fields ?? [];
  const given = asObject(values.input);
  const elsewhere = issues.filter(({ path }) => !fields.some(({ name }) => path.split(".")[1] === name));
  return (
    <>
      {fields.length === 0 && <p className="text-muted">It takes no input.</p>}
      {fields.map((field) => {
        const path = `input.${field.name}`;
        return (
          <SchemaField
            key={field.name}
            field={field}
            name={path}
            value={given[field.name]}
            error={faults[path]}
            onChange={(value) => setProperty(field.name, value)}
            onFault={(fault) => setFault(path, fault)}
          />
        );
      })}
      {elsewhere.map(({ path, message }) => (
        <p key={`${path} ${message}`} className="text-13 text-bad">
          {message}
        </p>
      ))}
    </>
  );
}

function WholeInput({ form: { values, set, faults, setFault } }: { form: InputForm }) {
  const issues = useContext(ServerIssues);
  const refused = issues.map(
    ({ path, message }) => `${path.replace(/^input\.?/, "") || "input"}: ${message}`,
  );
  return (
    <JsonField
      name="input"
      label="Input"
      rows={8}
      value={values.input}
      error={faults.input ?? (refused.join("; ") || undefined)}
      onChange={(input) => set(input ?? {})}
      onFault={(fault) => setFault("input", fault)}
    />
  );
}
