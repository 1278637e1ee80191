import { Alert, Button, Loader } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isRefusal, sentenceOf } from '../api/request.js';

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

type FailureProps = { error: unknown; again?: () => void; title?: string };

/** Whether a retry may succeed soon. */
function isPassing(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { status } = error;
  return status === 0 || status === 401 || status === 429 || status >= 500;
}

/** Offers a retry where that helps. */
export function Failure({
  error,
  again,
  title = 'That did not work',
}: FailureProps) {
  if (error === null) return null;
  return (
    <Alert role="alert" variant="outline" color="red" title={title}>
      <p className="tight">{sentenceOf(error)}</p>
      {again === undefined || !isPassing(error) ? null : (
        <Button onClick={again}>Try again</Button>
      )}
    </Alert>
  );
}
