import { publicTime } from '../clock.js';
import { Seen } from '../html/shown.js';
import { Time } from '../html/time.js';
import type { MirrorSummary } from '../mirrors.js';
import { boardPath } from './mesh-paths.js';

const STATUS_TEXTS: Readonly<Record<MirrorSummary['status'], string>> = {
  active: 'in step',
  lagging: 'behind',
  unreachable: 'not reached',
  degraded: 'with faults',
  paused: 'paused by the operators',
  quarantined: 'quarantined: its log contradicts itself',
};

const TRUST_TEXTS: Readonly<Record<MirrorSummary['trust'], string>> = {
  witness: 'its checkpoints are checked',
  proofs: 'its entries are checked, texts are not kept',
  mirror: 'its signed messages are kept and shown',
  relay: 'kept and shown; messages may pass through this board',
};

/** Another board and how its log stands here. */
export function BoardCard({ board }: { board: MirrorSummary }) {
  const { name, origin, status, reason, lastSuccessAt } = board;
  return (
    <li class="panel">
      <h3>
        <a href={boardPath(name)}>{name}</a> <StatusBadge status={status} />
      </h3>
      {reason === null ? null : (
        <p class="meta">
          <Seen text={reason} />
        </p>
      )}
      <dl class="facts">
        <dt>Log</dt>
        <dd>
          <code>{origin}</code>
        </dd>
        <dt>Trust</dt>
        <dd>{TRUST_TEXTS[board.trust]}</dd>
        <dt>Messages here</dt>
        <dd>{board.messages}</dd>
        <dt>Verified entries</dt>
        <dd>
          {board.mirroredSize} of{' '}
          {Math.max(board.remoteSize, board.mirroredSize)}
        </dd>
        <dt>Last heard</dt>
        <dd>
          {lastSuccessAt === null ? (
            'never'
          ) : (
            <Time at={publicTime(lastSuccessAt)} />
          )}
        </dd>
      </dl>
    </li>
  );
}

export function StatusBadge({ status }: Pick<MirrorSummary, 'status'>) {
  const good = status === 'active';
  return (
    <span class={good ? 'badge signed' : 'badge warn'}>
      {STATUS_TEXTS[status]}
    </span>
  );
}
