"use client";

import { useState } from "react";
import type { SavedProps } from "#app/(console)/database/sql/saved-list.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { inBrowser } from "#components/ui/in-browser.tsx";

const SavedList = inBrowser<SavedProps>(() =>
  import("#app/(console)/database/sql/saved-list.tsx").then(({ SavedList }) => SavedList),
);

type SavedQueriesProps = { owner: string; sql: string; onOpen: (sql: string) => void };

/** The button that opens the dialog of saved queries. */
export function SavedQueries({ owner, sql, onOpen }: SavedQueriesProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Saved queries</Button>
      {open && (
        <Dialog
          open
          onOpenChange={setOpen}
          title="Saved queries"
          description="They are kept in this browser only, for you in this account, until you delete them: signing out leaves them here."
        >
          <SavedList
            owner={owner}
            sql={sql}
            onOpen={(query) => {
              setOpen(false);
              onOpen(query.sql);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
