/** The layout shows the list: side modals open over it. */
export default function WebhooksPage() {
  return null;
}
