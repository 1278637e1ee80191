import { Button } from '@mantine/core';
import type { PublicDecisionSeen } from '../../../server/dashboard/schemas/commands.js';
import type { Refusal } from '../../api/refusal.js';
import { Inert } from '../../parts/Inert.js';
import { Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';

type Props = { refusal: Refusal; renew: () => void };

/** Somebody was first: their decision, and the way to go on from it. */
export function ConflictView({ refusal, renew }: Props) {
  const current = refusal.current as Partial<PublicDecisionSeen> | null;
  return (
    <div className="conflict" role="alert">
      <h3>Somebody else decided first</h3>
      <p>{refusal.message} Nothing of yours was recorded.</p>
      {current === null ? null : (
        <dl className="facts">
          {current.operator === undefined ? null : (
            <>
              <dt>Operator</dt>
              <dd>{current.operator}</dd>
            </>
          )}
          {current.action === undefined ? null : (
            <>
              <dt>Decision</dt>
              <dd>
                {plain(current.action)}, {plain(current.reason ?? 'other')}
              </dd>
            </>
          )}
          {current.explanation === undefined ? null : (
            <>
              <dt>Explanation</dt>
              <dd>
                <Inert text={current.explanation} />
              </dd>
            </>
          )}
          {current.decided_at === undefined ? null : (
            <>
              <dt>Decided</dt>
              <dd>
                <Time at={current.decided_at} exact />
              </dd>
            </>
          )}
        </dl>
      )}
      <Button size="xs" variant="default" onClick={renew}>
        Take it into account; my text stays
      </Button>
    </div>
  );
}
