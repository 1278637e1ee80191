import type { SystemView } from '../../../server/dashboard/schemas/views.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

/** A backup is one when it was restored from and looked at. */
export function Backups({ backups }: Pick<SystemView, 'backups'>) {
  if (backups === null) {
    return (
      <Section title="Backups" actions={<Tag tone="warn">None known</Tag>}>
        <p className="tight">
          No backup was made by this node. If another tool makes them, see that
          somebody restores one now and then.
        </p>
      </Section>
    );
  }
  const { at, verified_at: verified } = backups;
  return (
    <Section
      title="Backups"
      actions={
        <Tag tone={verified === null ? 'warn' : 'good'}>
          {verified === null ? 'Never restored' : 'Restored and checked'}
        </Tag>
      }
    >
      <dl className="facts">
        <dt>Last made</dt>
        <dd>
          <Time at={at} exact />
        </dd>
        <dt>Last verified restore</dt>
        <dd>{verified === null ? 'never' : <Time at={verified} exact />}</dd>
      </dl>
    </Section>
  );
}
