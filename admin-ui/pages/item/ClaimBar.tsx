import { Button } from '@mantine/core';
import type { Item } from '../../../server/dashboard/schemas/views.js';
import { useMay } from '../../access/use-access.js';
import { queryClient } from '../../api/query-client.js';
import { useCommand } from '../../api/use-ask.js';
import { Failure } from '../../parts/Failure.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

export function renewItem(): void {
  void queryClient.invalidateQueries({ queryKey: ['item.read'] });
}

/** Who is at the item, so that two people do not do the same work. */
export function ClaimBar({ item: { subject, claim } }: { item: Item }) {
  const may = useMay('moderator');
  const take = useCommand('subject.claim', renewItem);
  const leave = useCommand('subject.unclaim', renewItem);
  const error = take.error ?? leave.error;
  return (
    <>
      <div className="row" role="status">
        {claim === null ? (
          <span className="dim">Nobody is at this item.</span>
        ) : (
          <>
            <Tag tone={claim.mine ? 'info' : 'warn'}>
              {claim.mine ? 'You are at it' : `${claim.operator} is at it`}
            </Tag>
            <span className="dim">
              since <Time at={claim.at} />
            </span>
          </>
        )}
        {may && claim?.mine !== true ? (
          <Button
            size="xs"
            variant="default"
            loading={take.isPending}
            onClick={() => take.mutate({ subject, take_over: claim !== null })}
          >
            {claim === null ? 'Take it' : 'Take it over'}
          </Button>
        ) : null}
        {may && claim?.mine === true ? (
          <Button
            size="xs"
            variant="default"
            loading={leave.isPending}
            onClick={() => leave.mutate({ subject })}
          >
            Leave it to others
          </Button>
        ) : null}
        {may ? (
          <a className="jump" href="#decision">
            To the decision
          </a>
        ) : null}
      </div>
      {error === null ? null : <Failure error={error} again={renewItem} />}
    </>
  );
}
