import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './Failure.js';
import { Loading } from './Loading.js';

type Props<T> = {
  of: UseQueryResult<T>;
  what: string;
  children: (data: T) => ReactNode;
};

/**
 * What was asked for, once it is there. A later failure is shown beside what
 * is known, which stays.
 */
export function Answered<T>({ of, what, children }: Props<T>) {
  const { data, error, refetch } = of;
  const failure =
    error === null ? null : (
      <Failure error={error} again={() => void refetch()} />
    );
  if (data === undefined) return failure ?? <Loading what={what} />;
  return (
    <>
      {failure}
      {children(data)}
    </>
  );
}
