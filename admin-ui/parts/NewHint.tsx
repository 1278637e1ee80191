import { Button } from '@mantine/core';

type Props = { count: number; show: () => void };

export function NewHint({ count, show }: Props) {
  return (
    <div className="hint" role="status">
      {count === 0 ? null : (
        <Button variant="filled" onClick={show}>
          {count} new, show
        </Button>
      )}
    </div>
  );
}
