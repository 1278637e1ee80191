import { Button } from '@mantine/core';
import {
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useMemo } from 'react';
import { queryClient } from '../api/query-client.js';
import { Answered } from './Answered.js';
import { DataTable } from './DataTable.js';

/** Nothing is skipped or shown twice when rows come. */
export function usePages<P extends { data: unknown[]; next: unknown }>(
  key: readonly unknown[],
  read: (after?: NonNullable<P['next']>) => Promise<P>,
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam ?? undefined),
    initialPageParam: null as P['next'],
    getNextPageParam: (page: P) => page.next,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const rows = useMemo(
    (): P['data'] => query.data?.pages.flatMap((page) => page.data) ?? [],
    [query.data],
  );
  const renew = () =>
    void queryClient.resetQueries({ queryKey: key, exact: true });
  /** Rows stay until the new ones are read, and what is typed in them. */
  const refresh = () => void query.refetch();
  return { query, rows, renew, refresh };
}

type Props<T> = {
  list: { query: UseInfiniteQueryResult; rows: T[] };
  what: string;
  empty: ReactNode;
  children: (rows: T[]) => ReactNode;
};

export function PagedList<T>({ list, what, empty, children }: Props<T>) {
  const { query, rows } = list;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const more = (
    <div>
      <Button
        size="sm"
        loading={isFetchingNextPage}
        onClick={() => void fetchNextPage()}
      >
        Show more
      </Button>
    </div>
  );
  return (
    <Answered of={query} what={what}>
      {() =>
        rows.length === 0 ? (
          empty
        ) : (
          <>
            {children(rows)}
            {hasNextPage ? more : null}
          </>
        )
      }
    </Answered>
  );
}

type TableProps<T> = Omit<Props<T>, 'children'> &
  Omit<ComponentProps<typeof DataTable<T>>, 'data'>;

/** A list that is a table. */
export function PagedTable<T>({ list, what, empty, ...table }: TableProps<T>) {
  return (
    <PagedList list={list} what={what} empty={empty}>
      {(rows) => <DataTable data={rows} {...table} />}
    </PagedList>
  );
}
