import type { CommandInput } from '../../../server/dashboard/all-commands.js';
import type { DecisionPreview } from '../../../server/dashboard/commands/decide.js';
import { Failure } from '../../parts/Answered.js';
import { Inert } from '../../parts/Inert.js';
import { Block, Facts } from '../../parts/Page.js';
import { StateTag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { useIntoView } from '../../parts/use-into-view.js';

type Input = CommandInput<'decision.preview'>;
type Props = {
  preview: {
    data: DecisionPreview | undefined;
    error: Error | null;
    variables: Input | undefined;
  };
  input: Input;
  refused?: string | undefined;
};

export function Previewed(props: Props) {
  const { preview, input, refused = 'It would be refused' } = props;
  const { data, error, variables } = preview;
  if (JSON.stringify(variables) !== JSON.stringify(input)) return null;
  return (
    <>
      <Failure error={error} title={refused} />
      {data === undefined ? null : <Exactly preview={data} />}
    </>
  );
}

function Exactly({ preview }: { preview: DecisionPreview }) {
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
          Action: decision.action,
          Reason: decision.reason,
          Explanation: <Inert text={decision.explanation} />,
          Operator: <Inert text={decision.operator} />,
          Decided: <Time at={decision.decided_at} exact />,
          'Takes back': decision.supersedes ?? 'nothing',
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
