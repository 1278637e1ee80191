import type { PeerAdmin } from '../../../mesh/mesh-ports.js';
import { BoardError } from '../../errors.js';
import { recordAudit } from '../audit.js';
import type {
  CommandAnswers,
  CommandAsked,
  CommandName,
} from '../schemas/commands.js';
import { type ActionContext, command, type Operator } from './command.js';
import { unackedRemovals } from './figures.sql.js';

/** @throws BoardError `not_found` on a node without the mesh */
function peersOf({ peers }: ActionContext): PeerAdmin {
  if (peers !== null) return peers;
  throw new BoardError('not_found', 'This process does not keep peers.');
}

/** The settings of a peer that an operator changes; null for none. */
async function settingsOf(
  peers: PeerAdmin,
  board: string,
): Promise<object | null> {
  const known = await peers.read(board).catch((error: unknown) => {
    if (error instanceof BoardError) return null;
    throw error;
  });
  if (known === null) return null;
  const { name, base_url, status, trust, content, decisions, limits } = known;
  return { name, base_url, status, trust, content, decisions, limits };
}

/**
 * Changes a peer and writes it into the audit trail with the peer as it was.
 * The mesh commits by itself, so the row of the trail comes after it.
 */
async function auditedChange<T>(
  context: ActionContext,
  operator: Operator,
  action: string,
  input: object & { board?: string; url?: string },
  work: (peers: PeerAdmin) => Promise<T>,
): Promise<T> {
  const peers = peersOf(context);
  const board = input.board ?? input.url ?? 'policy';
  const before = await settingsOf(peers, board);
  const done = await work(peers);
  const entry = { action, subject: `peer:${board}`, before, after: input };
  await context.writes.transaction((tx) =>
    recordAudit(tx, operator, entry, context.clock.now()),
  );
  return done;
}

type PeerCommand = Extract<CommandName, `peer.${string}`>;

/** Declares a change of a peer: for admins with a fresh credential. */
function change<N extends PeerCommand>(
  name: N,
  summary: string,
  work: (
    peers: PeerAdmin,
    input: CommandAsked<N>,
  ) => Promise<CommandAnswers[N]>,
) {
  return command(name, {
    right: 'admin',
    fresh: true,
    summary,
    handle: (context, operator, input) =>
      auditedChange(context, operator, name, input as object, (peers) =>
        work(peers, input),
      ),
  });
}

/** What operators do with peers (spec/mesh.md §B8). */
export const peerCommands = [
  command('peer.list', {
    right: 'viewer',
    summary: 'Every peer, its status and sizes.',
    handle: (context) => peersOf(context).list(),
  }),
  command('peer.read', {
    right: 'viewer',
    summary: 'One peer by its board name or its URL.',
    handle: (context, _operator, { board }) => peersOf(context).read(board),
  }),
  change(
    'peer.add',
    'Fetches the identity of a board and adds it as a peer.',
    (peers, { url, ...options }) => peers.add(url, options),
  ),
  change(
    'peer.confirm',
    'Pins the log key of a pending peer, or accepts a changed identity.',
    (peers, { board, log_vkey, ...seen }) =>
      peers.confirm(board, log_vkey, seen),
  ),
  change(
    'peer.trust',
    'Sets how far a peer is trusted.',
    (peers, { board, ...to }) => peers.trust(board, to),
  ),
  change(
    'peer.limits',
    'Sets the quotas of a peer.',
    (peers, { board, ...to }) => peers.limits(board, to),
  ),
  change('peer.pause', 'Stops the traffic of a peer.', (peers, { board }) =>
    peers.pause(board),
  ),
  change(
    'peer.resume',
    'Starts a peer again after pause, quarantine or block.',
    (peers, { board }) => peers.resume(board),
  ),
  change(
    'peer.block',
    'Ends all traffic of a peer and erases its mirror.',
    (peers, { board, reason }) => peers.block(board, reason),
  ),
  command('peer.holdings', {
    right: 'viewer',
    summary: 'How many texts of a peer are kept here, and are only here.',
    handle: (context, _operator, { board }) => peersOf(context).holdings(board),
  }),
  command('peer.unacknowledged', {
    right: 'viewer',
    summary: 'Peers that have not acknowledged removals, with how many.',
    handle: async ({ reads, clock }) => {
      const rows = await unackedRemovals(reads, clock.now());
      return { data: rows.map(({ name: board, ...it }) => ({ board, ...it })) };
    },
  }),
  change(
    'peer.forget',
    'Removes a peer and what is mirrored of it; its confirmed key, quarantine and evidence stay.',
    (peers, { board }) => peers.forget(board),
  ),
  change(
    'peer.hide',
    'Hides one mirrored message on this node, or shows it again.',
    (peers, { board, id, ...options }) => peers.hide(board, id, options),
  ),
  command('peer.policy_export', {
    right: 'admin',
    summary: 'Everything decided about peers, as JSON.',
    handle: (context) => peersOf(context).exportPolicy(),
  }),
  command('peer.policy_import', {
    right: 'admin',
    fresh: true,
    summary: 'Shows what a policy would change here, or changes it.',
    handle: async (context, operator, { policy, apply }) => {
      const work = (peers: PeerAdmin) => peers.importPolicy(policy, { apply });
      if (!apply) return await work(peersOf(context));
      const input = { policy, apply };
      const name = 'peer.policy_import';
      return await auditedChange(context, operator, name, input, work);
    },
  }),
] as const;
