import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryClient } from '../api/query-client.js';

type PageOf<T, C> = { data: T[]; next: C | null };

/**
 * A list that is read page by page, each beginning where the one before has
 * ended, so that nothing is left out or shown twice when rows come.
 */
export function usePages<T, C>(
  key: readonly unknown[],
  read: (after: C | null) => Promise<PageOf<T, C>>,
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam as C | null),
    initialPageParam: null as C | null,
    getNextPageParam: (page: PageOf<T, C>) => page.next,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const rows = useMemo(
    () => query.data?.pages.flatMap((page) => page.data) ?? [],
    [query.data],
  );
  const renew = () =>
    void queryClient.resetQueries({ queryKey: key, exact: true });
  return { query, rows, renew };
}
