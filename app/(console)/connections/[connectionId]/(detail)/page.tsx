/** The connection is the layout: side modals lie over it. */
export default function ConnectionPage() {
  return null;
}
