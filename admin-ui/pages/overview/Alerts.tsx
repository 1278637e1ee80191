import type { AlertSeen } from '../../../server/dashboard/schemas/views.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';

/** What is unusual now; an alert ends by itself when its cause does. */
export function Alerts({ alerts }: { alerts: readonly AlertSeen[] }) {
  if (alerts.length === 0) return null;
  return (
    <Section title="Alerts">
      <ul className="plain">
        {alerts.map(({ name, subject, detail, since }) => (
          <li key={`${name} ${subject}`}>
            <span className="row">
              <Tag tone="bad">{plain(name)}</Tag>
              <Inert text={detail} />
              <span className="dim">
                <Inert text={subject} />, since <Time at={since} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
