/** The layout shows the wallet: side modals open over it. */
export default function WalletPage() {
  return null;
}
