import { ListPageSkeleton } from "#components/ui/skeleton.tsx";

export default ListPageSkeleton;
