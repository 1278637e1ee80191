import { Button } from '@mantine/core';

type Props = {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
  };
};

/** The next page of a list, while there is one. */
export function MoreButton({ query }: Props) {
  if (!query.hasNextPage) return null;
  return (
    <div>
      <Button
        variant="default"
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        Show more
      </Button>
    </div>
  );
}
