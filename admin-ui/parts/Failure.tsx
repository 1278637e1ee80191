import { Alert, Button } from '@mantine/core';
import { isRefusal, sentenceOf } from '../api/refusal.js';

type Props = { error: unknown; again?: () => void; title?: string };

/** Whether a retry may succeed soon. */
function isPassing(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { status } = error;
  return status === 0 || status === 401 || status === 429 || status >= 500;
}

/** Offers a retry where that helps. */
export function Failure({ error, again, title = 'That did not work' }: Props) {
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
