import type { PeerDesk } from '../../../mesh/mesh-ports.js';
import { POLL_COLUMNS, POLLS, type PollRow } from '../../polls/poll-row.js';
import { pollViewOf } from '../../polls/poll-view.js';
import type { CommandAnswers, CommandAsked, CommandName } from '../events.js';
import type { PollsInput } from '../schemas/read-commands.js';
import type { PollPage } from '../schemas/views.js';
import type { Desk, Operator } from './action-context.js';
import { readChart } from './chart.js';
import { claim, unclaim } from './claims.js';
import { decide } from './decide.js';
import { draftUsefulness } from './draft-usefulness.js';
import { hiddenTopics } from './hidden-topics.js';
import { listSamples, readLags } from './history.js';
import { listDecisions } from './list-decisions.js';
import { listReports } from './list-reports.js';
import { readOverview } from './overview.js';
import { peersOf, withPeer } from './peers.js';
import { previewDecision } from './preview-decision.js';
import { publishUsefulness } from './publish-usefulness.js';
import { AWAITING, readQueue } from './queue.js';
import { readItem } from './read-item.js';
import { listViews, removeView, saveView } from './saved-views.js';
import { settleReports } from './settle-reports.js';
import { readSystem } from './system.js';
import { listTemplates, removeTemplate, saveTemplate } from './templates.js';
import { listUsefulness, previewUsefulness } from './usefulness-reports.js';

/** A desk with the mesh's part; null where there is none. */
export type WorkDesk = Desk & { peers: PeerDesk | null };

type Work<N extends CommandName> = (
  desk: WorkDesk,
  operator: Operator,
  input: CommandAsked<N>,
) => Promise<CommandAnswers[N]>;

/** A change of a peer, with its row in the trail. */
function peer<N extends Extract<CommandName, `peer.${string}`>>(
  action: N,
  work: (peers: PeerDesk, input: CommandAsked<N>) => Promise<CommandAnswers[N]>,
): Work<N> {
  return async (desk, operator, input) => {
    const peers = peersOf(desk.peers);
    const named = input as { board?: string; url?: string };
    const board = named.board ?? named.url ?? 'policy';
    const deed = { action, board, input, peers };
    return await withPeer(desk, operator, deed, () => work(peers, input));
  };
}

/** What does each command; who may is decided before (`session.ts`). */
export const WORK: { readonly [N in CommandName]: Work<N> } = {
  'overview.read': (desk) => readOverview(desk, desk.peers),
  'overview.chart': (desk, _operator, input) => readChart(desk, input),
  'history.lag': (desk, _operator, input) => readLags(desk, input),
  'history.list': (desk, _operator, input) => listSamples(desk, input),
  'queue.list': readQueue,
  'item.read': readItem,
  'hidden.list': hiddenTopics,
  'decision.list': (desk, _operator, input) => listDecisions(desk, input),
  'decision.preview': previewDecision,
  'decision.record': decide,
  'subject.claim': claim,
  'subject.unclaim': unclaim,
  'report.list': listReports,
  'report.settle': settleReports,
  'poll.list': (desk, _operator, input) => listPolls(desk, input),
  'usefulness.list': (desk, _operator, input) => listUsefulness(desk, input),
  'usefulness.draft': draftUsefulness,
  'usefulness.preview': previewUsefulness,
  'usefulness.publish': publishUsefulness,
  'template.list': (desk) => listTemplates(desk),
  'template.save': saveTemplate,
  'template.remove': removeTemplate,
  'view.list': (desk, operator) => listViews(desk, operator),
  'view.save': saveView,
  'view.remove': removeView,
  'system.read': (desk) => readSystem(desk),
  'peer.list': (desk) => peersOf(desk.peers).list(),
  'peer.read': (desk, _operator, { board }) => peersOf(desk.peers).read(board),
  'peer.add': peer('peer.add', (peers, { url, ...rest }) =>
    peers.add(url, rest),
  ),
  'peer.confirm': peer('peer.confirm', (peers, { board, log_vkey, ...seen }) =>
    peers.confirm(board, log_vkey, seen),
  ),
  'peer.trust': peer('peer.trust', (peers, { board, ...change }) =>
    peers.trust(board, change),
  ),
  'peer.limits': peer('peer.limits', (peers, { board, ...change }) =>
    peers.limits(board, change),
  ),
  'peer.pause': peer('peer.pause', (peers, { board }) => peers.pause(board)),
  'peer.resume': peer('peer.resume', (peers, { board }) => peers.resume(board)),
  'peer.block': peer('peer.block', (peers, { board, reason }) =>
    peers.block(board, reason),
  ),
  'peer.hide': peer('peer.hide', (peers, { board, id, ...options }) =>
    peers.hide(board, id, options),
  ),
  'peer.policy_export': (desk) => peersOf(desk.peers).exportPolicy(),
  'peer.policy_import': (desk, operator, { policy, apply }) => {
    const peers = peersOf(desk.peers);
    const work = () => peers.importPolicy(policy, { apply });
    const deed = {
      action: 'peer.policy_import',
      board: 'policy',
      input: { policy, apply },
      peers,
    };
    return apply ? withPeer(desk, operator, deed, work) : work();
  },
};

const PAGE = `SELECT ${POLL_COLUMNS}, (SELECT max(d.id) FROM decision d
    WHERE d.message_id = poll.root_id) AS last_decision_id
  FROM ${POLLS}
  WHERE ($2::bigint IS NULL OR poll.id < $2) AND CASE $3::text
    WHEN 'awaiting' THEN ${AWAITING}
    WHEN 'open' THEN poll.closed_at IS NULL AND poll.closes_at > $1
      AND topic.removed_at IS NULL
    WHEN 'decided' THEN poll.decision IS NOT NULL
    ELSE $1::bigint IS NOT NULL END
  ORDER BY poll.id DESC LIMIT $4`;

type Row = PollRow & { last_decision_id: number | null };

/** Polls, newest first: proposals that await a decision unless asked else. */
async function listPolls(
  desk: Pick<Desk, 'reads' | 'clock' | 'limits' | 'config'>,
  { state, before, limit }: PollsInput,
): Promise<PollPage> {
  const now = desk.clock.now();
  const values = [now, before ?? null, state, limit + 1];
  const rows = await desk.reads.query<Row>(PAGE, values);
  const data = rows.slice(0, limit).map(({ last_decision_id, ...row }) => ({
    poll: pollViewOf(desk, row),
    last_decision_id,
  }));
  const more = rows.length > limit;
  return { data, next: more ? (rows[limit - 1]?.id ?? null) : null };
}
