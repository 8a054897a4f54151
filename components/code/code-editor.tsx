"use client";

import { useEffect, useRef } from "react";
import type { Editor, Language } from "#components/code/code-mirror.ts";
import { cn } from "#components/ui/cn.ts";

const LINE_PX = 20;
const AROUND_PX = 18;

/** An editor with highlighting and completion, loaded when it is shown: `<CodeEditor label="SQL" language={{ name: "sql", tables }} …>`. */
export function CodeEditor({
  label,
  value,
  language,
  className,
  onChange,
  onRun,
}: {
  label: string;
  value: string;
  /** Limits the height, above which the editor scrolls; without it, the editor is as high as its text. */
  className?: string;
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
  }, [label]);

  useEffect(() => editor.current?.show(value), [value]);
  useEffect(() => editor.current?.speak(language), [language]);

  return (
    <div
      ref={parent}
      // The element has its final height before the editor loads, so that nothing below it moves.
      style={className ? undefined : { minHeight: value.split("\n").length * LINE_PX + AROUND_PX }}
      className={cn(
        "flex min-h-34 flex-col overflow-hidden rounded-md border border-line-strong/60 focus-within:border-accent [&>.cm-editor]:min-h-0 [&>.cm-editor]:flex-auto",
        className,
      )}
    />
  );
}
