/** The statement is the layout around this page, so that it stays while credits are bought. */
export default function CreditsStatementPage() {
  return null;
}
