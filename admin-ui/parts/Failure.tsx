import { Alert, Button } from '@mantine/core';
import { sentenceOf } from '../api/refusal.js';

type Props = { error: unknown; again?: () => void; title?: string };

/** Says what went wrong, if anything did, and offers to try again. */
export function Failure({ error, again, title = 'That did not work' }: Props) {
  if (error === null) return null;
  return (
    <Alert role="alert" variant="outline" color="red" title={title}>
      <p className="tight">{sentenceOf(error)}</p>
      {again === undefined ? null : <Button onClick={again}>Try again</Button>}
    </Alert>
  );
}
