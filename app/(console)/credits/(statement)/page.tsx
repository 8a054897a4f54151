/** The layout around this page shows the statement, so that the statement stays while a person buys credits. */
export default function CreditsStatementPage() {
  return null;
}
