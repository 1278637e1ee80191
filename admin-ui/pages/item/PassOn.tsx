import { Textarea } from '@mantine/core';
import { useState } from 'react';
import {
  REPORT_REASONS,
  type ReportReason,
} from '../../../protocol/moderation.js';
import type { Item } from '../../../server/dashboard/commands/item.js';
import { useMay } from '../../access/use-access.js';
import { useCommand } from '../../api/ask.js';
import { Form, useForm } from '../../parts/Form.js';
import { Inert } from '../../parts/Inert.js';
import { Select } from '../../parts/Select.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';
import { renewItem } from './ClaimBar.js';

type Props = { item: Item; board: string };

/** In place of a decision: the message's own board decides. */
export function PassOn({ item: { subject, passed }, board }: Props) {
  const may = useMay('moderator');
  const pass = useCommand('report.pass_on', renewItem);
  const [reason, setReason] = useState<ReportReason>('other');
  const form = useForm({ words: '' });
  return (
    <div className="card stack">
      <h2>Pass on</h2>
      <p className="tight">
        This message belongs to <Inert text={board} />, whose operators decide
        about it. To stop showing it here, hide it on the page Mesh.
      </p>
      {may ? (
        <Form
          label="Pass on"
          disabled={form.values.words.trim() === ''}
          send={() => pass.mutate({ subject, reason, ...form.values })}
          work={pass}
          form={form}
        >
          <Select
            label="Reason"
            options={REPORT_REASONS}
            value={reason}
            choose={setReason}
          />
          <Textarea
            label="Your words to that board"
            description="They go there with this board’s name; no report of a reader does."
            rows={3}
            maxLength={1000}
            {...form.field('words')}
          />
        </Form>
      ) : null}
      {passed.map((it) => (
        <p key={it.request_id}>
          <Tag tone="info">{plain(it.status ?? 'state unknown')}</Tag> Passed on
          by <Inert text={it.operator} /> as {plain(it.reason).toLowerCase()},{' '}
          <Time at={it.at} />. <Inert text={it.answer} />
        </p>
      ))}
    </div>
  );
}
