import { Button } from '@mantine/core';
import type { Item } from '../../../server/dashboard/commands/item.js';
import { useMay } from '../../access/use-access.js';
import { useCommand } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { Failure } from '../../parts/Answered.js';
import { Inert } from '../../parts/Inert.js';
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
export function ClaimBar({ item }: { item: Item }) {
  const { subject, claim, openers } = item;
  const taking = { subject, take_over: claim !== null, seen: claim?.operator };
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
              <Time at={claim.at} />
            </span>
          </>
        )}
        {openers
          .filter(({ operator }) => operator !== claim?.operator)
          .map(({ operator, at }) => (
            <span key={operator} className="dim">
              <Inert text={operator} /> opened this <Time at={at} />.
            </span>
          ))}
        {may ? (
          <>
            <Button
              loading={take.isPending || leave.isPending}
              onClick={() =>
                claim?.mine ? leave.mutate({ subject }) : take.mutate(taking)
              }
            >
              {wordsFor(claim)}
            </Button>
            <a className="jump" href="#decision">
              {item.board === null ? 'To the decision' : 'Pass on'}
            </a>
          </>
        ) : null}
      </div>
      <Failure error={take.error ?? leave.error} />
    </>
  );
}
