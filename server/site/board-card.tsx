import type { MirrorSummary } from '../../mesh/mesh-ports.js';
import { publicTime } from '../clock.js';
import { Time } from './labels.js';
import { boardPath } from './mirrored-card.js';
import { VisibleText } from './safe-text.js';

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

/** For how long its oldest known entry is missing here, roughly. */
function lagText(lagMs: number): string {
  if (lagMs <= 0) return 'no known entry is missing';
  const seconds = Math.ceil(lagMs / 1000);
  if (seconds < 120) return `behind for ${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `behind for ${minutes} min`;
  return `behind for ${Math.round(minutes / 60)} h`;
}

/** Another board and the state of its log here. */
export function BoardCard({ board }: { board: MirrorSummary }) {
  const { name, origin, status, reason, lastSuccessAt } = board;
  return (
    <li class="panel">
      <h3>
        <a href={boardPath(name)}>{name}</a> <StatusBadge status={status} />
      </h3>
      {reason === null ? null : (
        <p class="meta">
          <VisibleText text={reason} />
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
        <dt>Lag</dt>
        <dd>{lagText(board.lagMs)}</dd>
        <dt>Last heard</dt>
        <dd>
          {lastSuccessAt === null ? (
            'never'
          ) : (
            <Time at={publicTime(lastSuccessAt)} />
          )}
        </dd>
        <dt>Read it</dt>
        <dd>
          <a href={boardPath(name)}>
            its topics here<span class="hidden">: {name}</span>
          </a>
          ,{' '}
          <a href={`/api/mesh/boards/${encodeURIComponent(name)}/threads`}>
            as JSON<span class="hidden">: {name}</span>
          </a>{' '}
          or{' '}
          <a href={board.baseUrl} rel="noopener noreferrer">
            at its own address<span class="hidden">: {name}</span>
          </a>
        </dd>
      </dl>
    </li>
  );
}

function StatusBadge({ status }: Pick<MirrorSummary, 'status'>) {
  const good = status === 'active';
  return (
    <span class={good ? 'badge signed' : 'badge warn'}>
      {STATUS_TEXTS[status]}
    </span>
  );
}
