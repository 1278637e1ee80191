import type { Item } from '../../../server/dashboard/schemas/views.js';
import { BodyEvidence } from './BodyEvidence.js';
import { DecisionHistory } from './DecisionHistory.js';
import { Mirrors } from './Mirrors.js';
import { PollEvidence } from './PollEvidence.js';
import { ReportEvidence } from './ReportEvidence.js';
import { SignatureEvidence } from './SignatureEvidence.js';
import { ThreadEvidence } from './ThreadEvidence.js';
import { VoteEvidence } from './VoteEvidence.js';

type Props = { item: Item; unseal?: () => void };

/** Everything there is to know before deciding. */
export function Evidence({ item, ...more }: Props) {
  return (
    <>
      <BodyEvidence item={item} {...more} />
      <ReportEvidence item={item} />
      <PollEvidence poll={item.poll} />
      <DecisionHistory decisions={item.decisions} />
      <VoteEvidence votes={item.votes} />
      <ThreadEvidence item={item} />
      <SignatureEvidence item={item} />
      <Mirrors mirrors={item.mirrors} />
    </>
  );
}
