import { Textarea } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type ModerationReason,
  reasonsOf,
} from '../../../protocol/moderation.js';
import type { BulkSeen } from '../../../server/dashboard/schemas/scale-views.js';
import { useMay } from '../../access/use-access.js';
import { useCommand } from '../../api/use-ask.js';
import { Form } from '../../parts/Form.js';
import { counted } from '../../parts/figures.js';
import { Section } from '../../parts/Section.js';
import { Select } from '../../parts/Select.js';
import { ACTION_WORDS, plain } from '../../parts/words.js';
import { REVERSE } from '../item/draft.js';
import { faultOf } from '../item/placeholders.js';

/** The undo of a bulk is a bulk: each decision is reversed by a new one. */
export function UndoBulk({ bulk: it }: { bulk: BulkSeen }) {
  const may = useMay('moderator');
  const go = useNavigate();
  const [bulk] = useState(() => crypto.randomUUID());
  const [explanation, setExplanation] = useState('');
  const action = REVERSE[it.action] ?? 'keep';
  const reasons = reasonsOf(action);
  const [reason, setReason] = useState<ModerationReason>(reasons[0] ?? 'other');
  const undo = useCommand(
    'bulk.undo',
    () => void go({ to: '/bulk/$bulk', params: { bulk } }),
  );
  if (!may) return null;
  return (
    <Section title="Undo" className="narrow">
      <Form
        label={`${ACTION_WORDS[action]} ${counted(it.done, 'item')}`}
        send={() => undo.mutate({ bulk, undoes: it.bulk, reason, explanation })}
        work={undo}
        disabled={faultOf(explanation) !== null}
        w="fit-content"
      >
        <p className="tight">
          Each decision is reversed by a new one. Both remain public.
        </p>
        <Select
          label="Reason"
          options={reasons}
          words={plain}
          value={reason}
          choose={setReason}
        />
        <Textarea
          label="Public explanation"
          rows={3}
          required
          value={explanation}
          onChange={({ currentTarget }) => setExplanation(currentTarget.value)}
        />
      </Form>
    </Section>
  );
}
