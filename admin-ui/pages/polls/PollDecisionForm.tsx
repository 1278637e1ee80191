import { Button, NativeSelect, Textarea } from '@mantine/core';
import {
  EXPLANATION_MAX,
  POLL_OUTCOMES,
  type PollOutcome,
} from '../../../protocol/moderation.js';
import { useCommand } from '../../api/use-ask.js';
import { Failure } from '../../parts/Failure.js';
import { lengthOf } from '../../parts/figures.js';
import type { Poll } from '../../parts/poll-shape.js';
import { say } from '../../parts/say.js';
import { useForm } from '../../parts/use-form.js';
import { OUTCOME_WORDS } from '../../parts/words.js';
import { rememberDecision } from '../../shell/last-decision.js';
import { DecisionPreviewView } from '../item/DecisionPreviewView.js';
import { faultOf } from '../item/placeholders.js';

type Props = { poll: Poll; seen: number | null };

/** The answer to a proposal, with its public reason. */
export function PollDecisionForm({ poll, seen }: Props) {
  const form = useForm({ outcome: 'accepted', explanation: '' });
  const { outcome, explanation } = form.values;
  const preview = useCommand('decision.preview');
  const record = useCommand('decision.record', ({ decision }) => {
    rememberDecision(`poll:${poll.id}`, decision.id);
    say(`The proposal has its answer, number ${decision.id}.`);
  });
  const input = {
    action: 'poll_decision' as const,
    id: poll.id,
    outcome: outcome as PollOutcome,
    explanation,
    seen,
  };
  const fresh = JSON.stringify(preview.variables) === JSON.stringify(input);
  const fault = faultOf(explanation);
  if (record.data !== undefined) {
    return (
      <p role="status">
        Answered by decision {record.data.decision.id}:{' '}
        {OUTCOME_WORDS[outcome as PollOutcome]}.
      </p>
    );
  }
  return (
    <form className="stack" onSubmit={form.submit(() => record.mutate(input))}>
      <NativeSelect
        label="Answer"
        {...form.field('outcome')}
        data={POLL_OUTCOMES.map((value) => ({
          value,
          label: OUTCOME_WORDS[value],
        }))}
      />
      <Textarea
        label="Public explanation"
        description={`${lengthOf(explanation)} of ${EXPLANATION_MAX} characters, for ever.`}
        rows={3}
        required
        {...form.field('explanation')}
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
          type="submit"
          disabled={fault !== null}
          loading={record.isPending}
        >
          Record
        </Button>
        <span className="dim">{fault}</span>
      </div>
      {record.error === null ? null : <Failure error={record.error} />}
      {preview.error === null || !fresh ? null : (
        <Failure error={preview.error} title="It would be refused" />
      )}
      {preview.data === undefined || !fresh ? null : (
        <DecisionPreviewView preview={preview.data} />
      )}
    </form>
  );
}
