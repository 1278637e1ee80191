import { Loader } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './Failure.js';

type Props<T> = {
  of: UseQueryResult<T>;
  what: string;
  children: (data: T) => ReactNode;
};

/** A later failure is shown beside the last answer, which stays. */
export function Answered<T>({ of, what, children }: Props<T>) {
  const { data, error, refetch } = of;
  if (data === undefined && error === null) return <Loading what={what} />;
  return (
    <>
      <Failure error={error} again={() => void refetch()} />
      {data === undefined ? null : children(data)}
    </>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p className="row dim" role="status" aria-busy="true">
      <Loader size="sm" aria-hidden="true" /> Loading {what} …
    </p>
  );
}
