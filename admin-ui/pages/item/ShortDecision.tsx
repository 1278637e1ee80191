import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import type { CommandInput } from '../../../server/dashboard/all-commands.js';
import type { DecisionPreview } from '../../../server/dashboard/commands/decide.js';
import type { SeenDecision } from '../../../server/moderation/index.js';
import { useCommand, useRead } from '../../api/ask.js';
import { isRefusal, type Refusal } from '../../api/request.js';
import { Failure } from '../../parts/Answered.js';
import { lengthOf } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Block, Facts, useIntoView } from '../../parts/Page.js';
import { StateTag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { plain, todo } from '../../parts/words.js';
import { useTellDecision } from '../../shell/last-decision.js';
import { faultOf } from './PlaceholderFields.js';

type Props = {
  subject: string;
  decision: Omit<CommandInput<'decision.record'>, 'explanation'>;
  children?: ReactNode;
  label: string;
  /** Ratings hide the topic. */
  isHidden?: boolean;
  /** Said when the decision has its number. */
  done: (id: number) => string;
  settled: () => void;
};

export function ShortDecision(props: Props) {
  const { subject, decision, children } = props;
  const { label, done, settled, isHidden } = props;
  const [explanation, setExplanation] = useState('');
  const tell = useTellDecision();
  const preview = useRead('decision.preview');
  const record = useCommand('decision.record', ({ decision: { id } }) => {
    tell(subject, id, done(id));
    setExplanation('');
    settled();
  });
  const input = { ...decision, explanation };
  const fault = faultOf(explanation);
  const { error } = record;
  const conflict = isRefusal(error, 'decision_conflict') ? error : null;
  return (
    <div className="stack">
      {children}
      <Textarea
        label="Public explanation"
        description={`Public and permanent. ${lengthOf(explanation)} of ${EXPLANATION_MAX} characters.`}
        required
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
      {conflict === null ? null : (
        <ConflictView
          refusal={conflict}
          seen={decision.seen ?? null}
          renew={() => {
            record.reset();
            settled();
          }}
        >
          Show it as it is now
        </ConflictView>
      )}
      <Failure error={conflict === null ? error : null} />
      <Previewed preview={preview} input={input} isHidden={isHidden} />
    </div>
  );
}

type ConflictProps = {
  children: string;
  refusal: Refusal;
  /** The newest decision that the operator has seen. */
  seen: number | null;
  renew: (known?: number) => void;
};

/** Why a decision does not fit: another was first, or it changes nothing. */
export function ConflictView(props: ConflictProps) {
  const { children, refusal, seen, renew } = props;
  const current = refusal.body.current as SeenDecision | null;
  return (
    <div className="conflict" role="alert" ref={useIntoView<HTMLDivElement>()}>
      <h3>
        {current !== null && current.id !== seen
          ? 'Somebody else decided first'
          : 'This decision does not fit'}
      </h3>
      <p>{refusal.message} Your decision was not recorded.</p>
      {current && (
        <Facts
          of={{
            Operator: current.operator,
            Decision: `${todo(current.action, current.stays_hidden)}, ${plain(current.reason)}`,
            Explanation: <Inert text={current.explanation} />,
            Decided: <Time at={current.decided_at} exact />,
          }}
        />
      )}
      <p className="tight">
        <Button onClick={() => renew(current?.id)}>{children}</Button>
      </p>
    </div>
  );
}

type PreviewedProps = {
  preview: ReturnType<typeof useRead<'decision.preview'>>;
  input: CommandInput<'decision.preview'>;
  isHidden?: boolean | undefined;
};

export function Previewed({ preview, input, isHidden }: PreviewedProps) {
  const { data, error, variables } = preview;
  if (JSON.stringify(variables) !== JSON.stringify(input)) return null;
  return (
    <>
      <Failure error={error} title="It would be refused" />
      {data === undefined ? null : (
        <Exactly preview={data} isHidden={isHidden} />
      )}
    </>
  );
}

type ExactlyProps = {
  preview: DecisionPreview;
  isHidden: boolean | undefined;
};

function Exactly({ preview, isHidden }: ExactlyProps) {
  const { decision, state, log_entry: entry, moderation_url: url } = preview;
  return (
    <section
      className="preview"
      aria-label="Exact public preview"
      ref={useIntoView<HTMLElement>()}
    >
      <h3>What everybody will see</h3>
      <Facts
        of={{
          Action: todo(decision.action, isHidden),
          Reason: plain(decision.reason),
          Explanation: <Inert text={decision.explanation} />,
          Operator: <Inert text={decision.operator} />,
          Decided: <Time at={decision.decided_at} exact />,
          Reverses: decision.supersedes ?? 'nothing',
          'Then it is': <StateTag state={state} />,
          'Public address': url,
        }}
      />
      <details>
        <summary>The entry in the log, and the answer as JSON</summary>
        <Block label="The log entry" text={entry} />
        <Block
          label="The decision as JSON"
          text={JSON.stringify(decision, null, 2)}
        />
      </details>
    </section>
  );
}
