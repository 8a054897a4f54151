import {
  autocompletion,
  closeBrackets,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from "@codemirror/autocomplete";
import { json, jsonLanguage, jsonParseLinter } from "@codemirror/lang-json";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { Compartment, type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { minimalSetup } from "codemirror";
import { completeBySchema, hoverBySchema, type JsonSchema } from "#components/code/json-schema.ts";

export type Language =
  | { name: "sql"; tables: Record<string, string[]> }
  | { name: "json"; schema?: JsonSchema };

interface Options {
  parent: HTMLElement;
  label: string;
  text: string;
  language: Language;
  onChange(text: string): void;
  /** Called on Ctrl or ⌘ with Enter. */
  onRun(): void;
}

export interface Editor {
  /** Replaces the text if it differs; the editor's own changes come back here too and do nothing. */
  show(text: string): void;
  speak(language: Language): void;
  close(): void;
}

const theme = EditorView.theme({
  "&": { fontSize: "13px", backgroundColor: "var(--canvas)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-mono)",
    lineHeight: "20px",
    minHeight: "120px",
  },
  // While a word is typed over, browsers keep its inline colour, even if the colour scheme changes.
  ".cm-line": { color: "var(--ink) !important" },
  ".cm-content": { padding: "8px 12px", caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--accent-soft) !important",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--canvas)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    color: "var(--ink)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--ink)",
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.typeName], color: "var(--accent-text)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: [tags.comment], color: "var(--muted)", fontStyle: "italic" },
]);

function speaking(language: Language): Extension {
  if (language.name === "sql")
    return sql({ dialect: PostgreSQL, schema: language.tables, upperCaseKeywords: false });
  const { schema } = language;
  const guided = schema && [
    jsonLanguage.data.of({ autocomplete: completeBySchema(schema) }),
    hoverBySchema(schema),
  ];
  return [json(), linter(jsonParseLinter()), guided ?? []];
}

/** Opens an editor in an element. Loaded late: none of it is in a page's first script. */
export function openEditor({ parent, label, text, language, onChange, onRun }: Options): Editor {
  const spoken = new Compartment();
  const run = {
    key: "Mod-Enter",
    run(view: EditorView) {
      closeCompletion(view);
      onRun();
      return true;
    },
  };
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      EditorView.cspNonce.of((window as { __webpack_nonce__?: string }).__webpack_nonce__ ?? ""),
      Prec.highest(keymap.of([run])),
      minimalSetup,
      closeBrackets(),
      autocompletion({ icons: false }),
      keymap.of(completionKeymap),
      spoken.of(speaking(language)),
      syntaxHighlighting(colours),
      theme,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", spellcheck: "false" }),
      EditorView.updateListener.of(({ view, state }) => {
        // Completions may arrive after the editor has lost focus.
        if (completionStatus(state) !== null && !view.hasFocus) setTimeout(() => closeCompletion(view));
      }),
      EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
    ],
  });
  return {
    show(wanted) {
      const { length } = view.state.doc;
      if (wanted !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: length, insert: wanted } });
    },
    speak: (wanted) => view.dispatch({ effects: spoken.reconfigure(speaking(wanted)) }),
    close: () => view.destroy(),
  };
}
