import { Button } from '@mantine/core';
import type { PublicDecision } from '../../../server/moderation/index.js';
import type { Refusal } from '../../api/refusal.js';
import { Facts } from '../../parts/Facts.js';
import { Inert } from '../../parts/Inert.js';
import { Time } from '../../parts/Time.js';
import { useIntoView } from '../../parts/use-into-view.js';
import { plain } from '../../parts/words.js';

type Props = {
  refusal: Refusal;
  /** The newest decision that the operator has seen. */
  seen: number | null;
  renew: (known?: number) => void;
};

/** Why a decision does not fit: another was first, or it changes nothing. */
export function ConflictView({ refusal, seen, renew }: Props) {
  const current = refusal.body.current as PublicDecision | null;
  return (
    <div className="conflict" role="alert" ref={useIntoView<HTMLDivElement>()}>
      <h3>
        {current !== null && current.id !== seen
          ? 'Somebody else decided first'
          : 'This decision does not fit'}
      </h3>
      <p>{refusal.message} Your decision was not recorded.</p>
      {current && (
        <Facts
          of={{
            Operator: current.operator,
            Decision: `${plain(current.action)}, ${plain(current.reason)}`,
            Explanation: <Inert text={current.explanation} />,
            Decided: <Time at={current.decided_at} exact />,
          }}
        />
      )}
      <p className="tight">
        <Button onClick={() => renew(current?.id)}>
          Continue with my draft
        </Button>
      </p>
    </div>
  );
}
