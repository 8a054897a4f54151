export default function TablePage() {
  return null;
}
