/** The project is the layout: side modals lie over it. */
export default function ProjectPage() {
  return null;
}
