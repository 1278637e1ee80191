import type { SystemView } from '../../../server/dashboard/schemas/views.js';
import { Section } from '../../parts/Section.js';

export function Versions({ system: it }: { system: SystemView }) {
  return (
    <Section title="Versions">
      <dl className="facts">
        <dt>Board</dt>
        <dd>{it.board.name}</dd>
        <dt>Software</dt>
        <dd>{it.release}</dd>
        <dt>Node</dt>
        <dd>{it.node}</dd>
        <dt>PostgreSQL</dt>
        <dd>{it.database}</dd>
      </dl>
      <details>
        <summary>{it.migrations.length} migrations have run</summary>
        <ol>
          {it.migrations.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ol>
      </details>
    </Section>
  );
}
