"use client";

import { useEffect, useRef } from "react";
import type { Editor, Language } from "#components/code/code-mirror.ts";

const LINE_PX = 20;
const AROUND_PX = 18;

/** An editor with highlighting and completion, loaded when it is shown: `<CodeEditor label="SQL" language={{ name: "sql", tables }} …>`. */
export function CodeEditor({
  label,
  value,
  language,
  grows = false,
  onChange,
  onRun,
}: {
  label: string;
  value: string;
  /** Shows all of the text, however long; otherwise the editor scrolls. */
  grows?: boolean;
  /** The caller must pass the same object while the language stays the same. */
  language: Language;
  onChange: (text: string) => void;
  /** Called on Ctrl or ⌘ with Enter. */
  onRun: () => void;
}) {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(null);
  // The editor is opened once and calls the latest rendered callbacks through this ref.
  const latest = useRef({ value, language, onChange, onRun });
  useEffect(() => {
    latest.current = { value, language, onChange, onRun };
  });

  useEffect(() => {
    let closed = false;
    void import("#components/code/code-mirror.ts").then(({ openEditor }) => {
      if (closed || !parent.current) return;
      const { value: text, language: spoken } = latest.current;
      editor.current = openEditor({
        parent: parent.current,
        label,
        text,
        grows,
        language: spoken,
        onChange: (next) => latest.current.onChange(next),
        onRun: () => latest.current.onRun(),
      });
    });
    return () => {
      closed = true;
      editor.current?.close();
      editor.current = null;
    };
  }, [label, grows]);

  useEffect(() => editor.current?.show(value), [value]);
  useEffect(() => editor.current?.speak(language), [language]);

  return (
    <div
      ref={parent}
      // The element has its final height before the editor loads, so that nothing below it moves.
      style={grows ? { minHeight: value.split("\n").length * LINE_PX + AROUND_PX } : undefined}
      className="min-h-34 overflow-hidden rounded-md border border-line-strong/60 focus-within:border-accent"
    />
  );
}
