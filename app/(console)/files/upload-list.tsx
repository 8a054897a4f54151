"use client";

import { X } from "lucide-react";
import type { Upload } from "#app/(console)/files/use-uploads.ts";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { isWorthRepeating } from "#components/ui/problem.ts";

/** Shows the progress or failure of each upload. */
export function UploadList({ uploads, onDismiss }: { uploads: Upload[]; onDismiss: (id: string) => void }) {
  if (uploads.length === 0) return null;
  return (
    <ul aria-label="Uploads" className="flex flex-col gap-2">
      {uploads.map(({ id, name, progress, error, cancel, again }) => (
        <li key={id}>
          {error ? (
            <ErrorNotice
              what={`${name} was not uploaded.`}
              error={error}
              action={
                <div className="flex gap-2">
                  {isWorthRepeating(error) && (
                    <Button size="sm" onClick={again}>
                      Try again
                    </Button>
                  )}
                  <Button size="sm" onClick={() => onDismiss(id)}>
                    Dismiss
                  </Button>
                </div>
              }
            />
          ) : (
            <div className="flex items-center gap-3 rounded-md border px-3 py-2 text-13">
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <progress
                aria-label={`Uploading ${name}`}
                value={progress}
                max={1}
                className="h-1.5 w-32 shrink-0 appearance-none overflow-hidden rounded-full bg-hover max-sm:w-20 [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
              />
              <span className="w-10 shrink-0 text-right text-muted tabular-nums">
                {Math.floor(progress * 100)} %
              </span>
              <IconButton icon={X} label={`Cancel ${name}`} onClick={cancel} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
