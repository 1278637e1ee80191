import type { DecisionPreview } from '../../../server/dashboard/schemas/commands.js';
import { Block } from '../../parts/Block.js';
import { Inert } from '../../parts/Inert.js';
import { StateTag } from '../../parts/StateTag.js';
import { Time } from '../../parts/Time.js';

/** Exactly what would be published, as the node has worked it out. */
export function DecisionPreviewView({ preview }: { preview: DecisionPreview }) {
  const { decision, state, log_entry: entry } = preview;
  return (
    <section className="preview" aria-label="Exact public preview">
      <h3>What everybody will see</h3>
      <dl className="facts">
        <dt>Action</dt>
        <dd>{decision.action}</dd>
        <dt>Reason</dt>
        <dd>{decision.reason}</dd>
        <dt>Explanation</dt>
        <dd>
          <Inert text={decision.explanation} />
        </dd>
        <dt>Operator</dt>
        <dd>
          <Inert text={decision.operator} />
        </dd>
        <dt>Decided</dt>
        <dd>
          <Time at={decision.decided_at} exact />
        </dd>
        <dt>Takes back</dt>
        <dd>{decision.supersedes ?? 'nothing'}</dd>
        <dt>Then it is</dt>
        <dd>
          <StateTag state={state} />
        </dd>
        <dt>Public address</dt>
        <dd>{preview.moderation_url}</dd>
      </dl>
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
