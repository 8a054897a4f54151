/** The wallet is the layout: side modals lie over it. */
export default function WalletPage() {
  return null;
}
