/** The orders and positions are the layout: side modals lie over them. */
export default function TradingPage() {
  return null;
}
