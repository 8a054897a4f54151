/** The memory is the layout: the form lies over it. */
export default function MemoryPage() {
  return null;
}
