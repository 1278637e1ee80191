import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { AuditCheck as Answer } from '../../api/access-answers.js';
import { withCredential } from '../../api/ask.js';
import { get } from '../../api/request.js';
import { Failure } from '../../parts/Failure.js';
import { Tag } from '../../parts/Tag.js';

/** Whether every row of the trail still hangs on the one before it. */
export function AuditCheck() {
  const check = useMutation({
    mutationFn: () => withCredential(() => get<Answer>('/audit/check')),
  });
  const { data } = check;
  return (
    <div className="row" role="status">
      <Button
        size="xs"
        variant="default"
        loading={check.isPending}
        onClick={() => check.mutate()}
      >
        Check the chain
      </Button>
      {data === undefined ? null : (
        <Tag tone={data.ok ? 'good' : 'bad'}>
          {data.ok
            ? `Whole, ${data.rows} rows`
            : `Broken: ${JSON.stringify(data.broken)}`}
        </Tag>
      )}
      {check.error === null ? null : <Failure error={check.error} />}
    </div>
  );
}
