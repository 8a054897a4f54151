import { type ReactNode, useState } from "react";
import { QuoteCard, useSecondsUntil } from "#app/(console)/_quote/quote-card.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import type { Form } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import type { Quote } from "#server/quotes/schema.ts";

/** A form in two steps: what the deed would do and whether the policy lets it, then the deed itself. */
export function QuotedForm<Values extends object, Input, Quoted extends Quote>({
  title,
  parent,
  form,
  quote,
  onSubmit,
  what,
  verb,
  deed,
  onDeed,
  failed,
  children,
}: {
  title: string;
  parent: string;
  form: Form<Values, Input>;
  /** The quote as the mutation that asks for it. */
  quote: { data: { quote: Quoted } | undefined; isPending: boolean; error: unknown; reset: () => void };
  onSubmit: (input: Input) => void;
  /** What the deed would do, in a sentence. */
  what: (quote: Quoted) => string;
  /** On the deed's button, where no approval is needed: `Send now`. */
  verb: string;
  /** The deed as a mutation; once it is done the form is left. */
  deed: { isPending: boolean; isSuccess: boolean; error: unknown };
  onDeed: (quoteId: string) => void;
  /** What a failure of the deed means: `Nothing was sent.` */
  failed: string;
  children: ReactNode;
}) {
  const [asked, setAsked] = useState<Input>();
  if (!quote.data)
    return (
      <SideModalForm
        title={title}
        parent={parent}
        submitLabel="Get quote"
        form={form}
        pending={quote.isPending}
        error={quote.error}
        failed="There is no quote."
        onSubmit={(input) => {
          setAsked(input);
          onSubmit(input);
        }}
      >
        {children}
      </SideModalForm>
    );
  const quoted = quote.data.quote;
  return (
    <SideModal
      title={title}
      parent={parent}
      footer={
        <>
          <Button onClick={() => quote.reset()}>Change</Button>
          <DeedButton
            quote={quoted}
            verb={verb}
            pending={deed.isPending || deed.isSuccess}
            onDeed={() => onDeed(quoted.id)}
            onAgain={() => asked !== undefined && onSubmit(asked)}
          />
        </>
      }
    >
      <QuoteCard quote={quoted} what={what(quoted)} />
      <ErrorNotice what={failed} error={deed.error} />
    </SideModal>
  );
}

/** Does what was quoted while the quote holds; afterwards it asks for the same again. */
function DeedButton({
  quote,
  verb,
  pending,
  onDeed,
  onAgain,
}: {
  quote: Quote;
  verb: string;
  pending: boolean;
  onDeed: () => void;
  onAgain: () => void;
}) {
  const { decision } = quote.policy;
  const seconds = useSecondsUntil(quote.expiresAt);
  if (seconds === 0 && !pending)
    return (
      <Button variant="primary" onClick={onAgain}>
        Quote again
      </Button>
    );
  return (
    <Button variant="primary" disabled={decision === "deny"} pending={pending} onClick={onDeed}>
      {decision === "approval" ? "Ask for approval" : verb}
    </Button>
  );
}
