import { Loader } from '@mantine/core';

export function Loading({ what }: { what: string }) {
  return (
    <p className="row dim" role="status" aria-busy="true">
      <Loader size="sm" aria-hidden="true" /> Loading {what} …
    </p>
  );
}
