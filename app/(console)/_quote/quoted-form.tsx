import { type ReactNode, useState } from "react";
import { QuoteCard, useSecondsUntil } from "#app/(console)/_quote/quote-card.tsx";
import { SideModalForm } from "#components/form/side-modal-form.tsx";
import type { Form } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { ErrorNotice } from "#components/ui/error-notice.tsx";
import { SideModal } from "#components/ui/side-modal.tsx";
import { useTyped } from "#components/ui/typed.ts";
import type { Quote } from "#server/quotes/schema.ts";

/** A form in two steps: a quote of the action with the policy's decision, then the action itself. */
export function QuotedForm<Values extends object, Input, Quoted extends Quote>({
  title,
  parent,
  form,
  quote,
  onSubmit,
  what,
  verb,
  action,
  onAction,
  failed,
  children,
}: {
  title: string;
  parent: string;
  form: Form<Values, Input>;
  /** The mutation that creates the quote. */
  quote: { data: { quote: Quoted } | undefined; isPending: boolean; error: unknown; reset: () => void };
  onSubmit: (input: Input) => void;
  /** Describes the quoted action in a sentence; the values are those that were quoted. */
  what: (values: Values, quote: Quoted) => string;
  /** Returns the label of the action's button if no approval is needed: `Send now`. */
  verb: (values: Values) => string;
  /** The mutation that executes the action; when it succeeds, the form closes. */
  action: { isPending: boolean; isSuccess: boolean; error: unknown };
  onAction: (quoteId: string) => void;
  /** The consequence of a failed action: `Nothing was sent.` */
  failed: string;
  children: ReactNode;
}) {
  // The form's values may be changed while the quote is awaited.
  const [asked, setAsked] = useState<{ input: Input; values: Values }>();
  // The quote replaces the form, and leads back to it.
  useTyped(form.changed, { asks: !action.isPending && !action.isSuccess });
  if (!quote.data || !asked)
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
          setAsked({ input, values: form.values });
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
          <ActionButton
            quote={quoted}
            verb={verb(asked.values)}
            pending={action.isPending || action.isSuccess}
            onAction={() => onAction(quoted.id)}
            onAgain={() => onSubmit(asked.input)}
          />
        </>
      }
    >
      <QuoteCard quote={quoted} what={what(asked.values, quoted)} />
      <ErrorNotice what={failed} error={action.error} />
    </SideModal>
  );
}

/** Executes the quote while it is valid; after that it requests a new quote of the same input. */
function ActionButton({
  quote,
  verb,
  pending,
  onAction,
  onAgain,
}: {
  quote: Quote;
  verb: string;
  pending: boolean;
  onAction: () => void;
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
    <Button variant="primary" disabled={decision === "deny"} pending={pending} onClick={onAction}>
      {decision === "approval" ? "Ask for approval" : verb}
    </Button>
  );
}
