import type { SystemView } from '../../../server/dashboard/schemas/views.js';
import { Block } from '../../parts/Block.js';
import { count } from '../../parts/figures.js';
import { Section } from '../../parts/Section.js';
import { Time } from '../../parts/Time.js';

/** The head of the board's own log, as it is signed. */
export function LogHead({ log }: Pick<SystemView, 'log'>) {
  return (
    <Section title="Log" className="stack">
      <dl className="facts">
        <dt>Origin</dt>
        <dd>{log.origin}</dd>
        <dt>Entries</dt>
        <dd>{count(log.size)}</dd>
        <dt>Last entry</dt>
        <dd>{log.at === 0 ? 'none yet' : <Time at={log.at} exact />}</dd>
      </dl>
      <Block label="The signed head" text={log.checkpoint} />
    </Section>
  );
}
