import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Overview } from '../../../server/dashboard/commands/overview.js';
import { alertName } from '../../../server/dashboard/notifications/words.js';
import { useMay } from '../../access/use-access.js';
import { useCommand } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { Failure } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/Dialog.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { say } from '../../parts/say.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

type AlertSeen = Overview['alerts'][number];

/** An alert ends by itself when its cause does. */
export function Alerts({ alerts }: { alerts: readonly AlertSeen[] }) {
  const admin = useMay('admin');
  if (alerts.length === 0) return null;
  return (
    <Section title="Alerts">
      <ul className="plain">
        {alerts.map((alert) => (
          <li key={`${alert.name} ${alert.subject}`}>
            <span className="row">
              <Tag tone="bad">{alertName(alert.name)}</Tag>
              <Inert text={alert.detail} />
              <span className="dim">
                <Inert text={alert.subject} />, since <Time at={alert.since} />
              </span>
            </span>
            <p className="tight">Next: {alert.next}</p>
            {admin ? <Settle alert={alert} /> : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** With a note for other operators. */
function Settle({ alert }: { alert: AlertSeen }) {
  const { name: kind, subject, detail: seen } = alert;
  const [note, setNote] = useState('');
  const settle = useCommand('alert.settle', () => say('The alert is settled.'));
  const send = () =>
    settle.mutate(
      { kind, subject, note, seen },
      { onSettled: () => reread('overview.read') },
    );
  return (
    <>
      <ConfirmButton
        label="Settle"
        ariaLabel={`Settle ${alertName(kind)}: ${subject}`}
        busy={settle.isPending}
        act={send}
      >
        <p className="tight">
          It ends by itself when its cause ends. Settle it where you know that
          it is over; it comes back when it says something else.
        </p>
        <TextInput
          label="Why (for operators)"
          required
          maxLength={1000}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </ConfirmButton>
      <Failure error={settle.error} />
    </>
  );
}
