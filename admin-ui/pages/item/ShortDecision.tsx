import { Button, Textarea, type TextareaProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import type { CommandInput } from '../../../server/dashboard/all-commands.js';
import { useCommand } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { lengthOf } from '../../parts/figures.js';
import { useTellDecision } from '../../shell/last-decision.js';
import { Previewed } from './Previewed.js';
import { faultOf } from './placeholders.js';

type Props = {
  subject: string;
  decision: Omit<CommandInput<'decision.record'>, 'explanation'>;
  children?: ReactNode;
  explained: (length: string) => TextareaProps;
  label: string;
  refused?: string;
  /** Said when the decision has its number. */
  done: (id: number) => string;
  settled: () => void;
};

export function ShortDecision(props: Props) {
  const { subject, decision, children, explained } = props;
  const { label, refused, done, settled } = props;
  const [explanation, setExplanation] = useState('');
  const tell = useTellDecision();
  const preview = useCommand('decision.preview');
  const record = useCommand('decision.record', ({ decision: { id } }) => {
    tell(subject, id, done(id));
    settled();
  });
  const input = { ...decision, explanation };
  const fault = faultOf(explanation);
  return (
    <div className="stack">
      {children}
      <Textarea
        {...explained(
          `${lengthOf(explanation)} of ${EXPLANATION_MAX} characters`,
        )}
        rows={3}
        value={explanation}
        onChange={({ currentTarget }) => setExplanation(currentTarget.value)}
      />
      <div className="row">
        <Button
          size="sm"
          disabled={fault !== null}
          loading={preview.isPending}
          onClick={() => preview.mutate(input)}
        >
          Preview
        </Button>
        <Button
          size="sm"
          variant="filled"
          disabled={fault !== null}
          loading={record.isPending}
          onClick={() => record.mutate(input)}
        >
          {label}
        </Button>
        <span className="dim">{fault}</span>
      </div>
      <Failure error={record.error} />
      <Previewed preview={preview} input={input} refused={refused} />
    </div>
  );
}
