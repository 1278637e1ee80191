import { Button } from '@mantine/core';
import type { PublicDecisionSeen } from '../../../server/dashboard/schemas/commands.js';
import type { Refusal } from '../../api/refusal.js';
import { Facts } from '../../parts/Facts.js';
import { Inert } from '../../parts/Inert.js';
import { Time } from '../../parts/Time.js';
import { useIntoView } from '../../parts/use-into-view.js';
import { plain } from '../../parts/words.js';

type Props = { refusal: Refusal; renew: (known?: number) => void };

/** Somebody was first: their decision, and the way to go on from it. */
export function ConflictView({ refusal, renew }: Props) {
  const current = refusal.body.current as PublicDecisionSeen | null;
  return (
    <div className="conflict" role="alert" ref={useIntoView<HTMLDivElement>()}>
      <h3>Somebody else decided first</h3>
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
      <Button onClick={() => renew(current?.id)}>Continue with my draft</Button>
    </div>
  );
}
