"use client";

import { useEffect, useState } from "react";
import { Card, Section } from "#components/ui/section.tsx";

/** The text that each step of a run has written so far, by step name, in the order in which the steps began. */
type Texts = Readonly<Record<string, string>>;

/** Follows a run's partial model output while the page is visible; without a stream it stays empty. */
function useWrittenText(runId: string): Texts {
  const [texts, setTexts] = useState<Texts>({});
  useEffect(() => {
    let source: EventSource | undefined;
    function follow() {
      source?.close();
      if (document.visibilityState !== "visible") return;
      source = new EventSource(`/api/bytes/runs/${runId}/events`);
      source.addEventListener("output", ({ data }: MessageEvent<string>) => {
        const { step, offset, text }: { step: string; offset: number; text: string } = JSON.parse(data);
        setTexts((before) => ({ ...before, [step]: (before[step] ?? "").slice(0, offset) + text }));
      });
      source.addEventListener("run", () => source?.close());
    }
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      source?.close();
    };
  }, [runId]);
  return texts;
}

/** Shows a model's text while it is written, until the run's answer replaces it. */
export function WrittenText({ runId }: { runId: string }) {
  const written = Object.entries(useWrittenText(runId));
  return (
    <div role="log" className="contents">
      {written.length > 0 && (
        <Section title="Answer so far">
          {written.map(([step, text]) => (
            <Card key={step} className="whitespace-pre-wrap break-words">
              {text}
            </Card>
          ))}
        </Section>
      )}
    </div>
  );
}
