export { ListPageSkeleton as default } from "#components/ui/skeleton.tsx";
