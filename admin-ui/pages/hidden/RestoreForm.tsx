import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import type { HiddenTopic } from '../../../server/dashboard/schemas/views.js';
import { useCommand } from '../../api/use-ask.js';
import { Failure } from '../../parts/Failure.js';
import { lengthOf } from '../../parts/figures.js';
import { say } from '../../parts/say.js';
import { rememberDecision } from '../../shell/last-decision.js';
import { DecisionPreviewView } from '../item/DecisionPreviewView.js';
import { faultOf } from '../item/placeholders.js';

/** Shows a topic again: one action, with its public explanation. */
export function RestoreForm({ topic }: { topic: HiddenTopic }) {
  const [explanation, setExplanation] = useState('');
  const preview = useCommand('decision.preview');
  const record = useCommand('decision.record', ({ decision }) => {
    rememberDecision(`message:${topic.id}`, decision.id);
    say(`Topic ${topic.id} is listed again.`);
  });
  const open = topic.appeals
    .filter(({ status }) => status === 'received' || status === 'in_review')
    .map(({ request_id }) => request_id);
  const input = {
    action: 'restore_visibility' as const,
    id: topic.id,
    reason: 'rating_visibility' as const,
    explanation,
    seen: topic.last_decision_id,
    ...(open.length === 0 ? {} : { report_ids: open }),
  };
  if (record.data !== undefined) {
    return (
      <p role="status">
        Shown again by decision {record.data.decision.id}. Press u to take it
        back.
      </p>
    );
  }
  const fault = faultOf(explanation);
  return (
    <div className="stack">
      <Textarea
        label="Why it is shown again"
        description={`Public, for ever. ${lengthOf(explanation)} of ${EXPLANATION_MAX} characters.`}
        rows={3}
        value={explanation}
        onChange={({ currentTarget: { value } }) => {
          setExplanation(value);
          preview.reset();
        }}
      />
      <div className="row">
        <Button
          variant="default"
          disabled={fault !== null}
          loading={preview.isPending}
          onClick={() => preview.mutate(input)}
        >
          Preview
        </Button>
        <Button
          disabled={fault !== null}
          loading={record.isPending}
          onClick={() => record.mutate(input)}
        >
          Show it again
        </Button>
        <span className="dim">{fault}</span>
      </div>
      {record.error === null ? null : <Failure error={record.error} />}
      {preview.error === null ? null : <Failure error={preview.error} />}
      {preview.data === undefined ? null : (
        <DecisionPreviewView preview={preview.data} />
      )}
    </div>
  );
}
