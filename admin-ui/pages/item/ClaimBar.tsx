import { Button } from '@mantine/core';
import type { Item } from '../../../server/dashboard/commands/item.js';
import { useMay } from '../../access/use-access.js';
import { useCommand } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { Failure } from '../../parts/Answered.js';
import { ClaimTag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

export function renewItem(): void {
  reread('item.read');
}

function wordsFor(claim: Item['claim']): string {
  if (claim === null) return 'Claim';
  return claim.mine ? 'Release' : 'Take over';
}

/** So that two operators do not do the same work. */
export function ClaimBar({ item: { subject, claim } }: { item: Item }) {
  const may = useMay('moderator');
  const take = useCommand('subject.claim', renewItem);
  const leave = useCommand('subject.unclaim', renewItem);
  return (
    <>
      <div className="row" role="status">
        {claim === null ? (
          <span className="dim">Unclaimed.</span>
        ) : (
          <>
            <ClaimTag claim={claim} />
            <span className="dim">
              since <Time at={claim.at} />
            </span>
          </>
        )}
        {may ? (
          <>
            <Button
              loading={take.isPending || leave.isPending}
              onClick={() =>
                claim?.mine
                  ? leave.mutate({ subject })
                  : take.mutate({ subject, take_over: claim !== null })
              }
            >
              {wordsFor(claim)}
            </Button>
            <a className="jump" href="#decision">
              To the decision
            </a>
          </>
        ) : null}
      </div>
      <Failure error={take.error ?? leave.error} />
    </>
  );
}
