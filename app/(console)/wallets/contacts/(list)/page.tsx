/** The list is the layout: side modals lie over it. */
export default function ContactsPage() {
  return null;
}
