import type { DecisionSeen } from '../../../server/dashboard/schemas/views.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { ACTION_WORDS, plain } from '../../parts/words.js';

type Props = { decisions: readonly DecisionSeen[] };

/** What was decided before, oldest first; nothing of it is ever edited. */
export function DecisionHistory({ decisions }: Props) {
  return (
    <Section title="Earlier decisions">
      {decisions.length === 0 ? (
        <p className="dim">None.</p>
      ) : (
        <ol className="plain">
          {decisions.map((it) => (
            <li key={it.id}>
              <p className="row tight">
                <Tag tone={it.superseded_by === null ? 'info' : 'calm'}>
                  {ACTION_WORDS[it.action]}
                </Tag>
                <span>
                  <Inert text={it.operator} />, {plain(it.reason).toLowerCase()}
                  {it.outcome === null ? '' : `, ${it.outcome}`}
                </span>
                <span className="dim">
                  <Time at={it.decided_at} />, number {it.id}, log index{' '}
                  {it.log_index}
                </span>
              </p>
              <Inert text={it.explanation} />
              {it.private_note === null ? null : (
                <p className="dim">
                  Private note: <Inert text={it.private_note} />
                </p>
              )}
              {it.superseded_by === null ? null : (
                <p className="dim">
                  Taken back by decision {it.superseded_by}.
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
