import { z } from 'zod';
import type { PeerAdmin } from '../../../mesh/mesh-ports.js';
import { peerLimits } from '../../../mesh/peer-port.js';
import { PEER_CONTENT, PEER_DECISIONS, PEER_TRUST } from '../../db/states.js';
import { BoardError } from '../../errors.js';
import { recordAudit } from '../audit.js';
import { type CommandContext, command, type Operator } from '../command.js';
import { id, said } from '../fields.js';
import { unackedRemovals } from './figures.sql.js';

/** @throws BoardError `not_found` on a node without the mesh */
function peersOf({ peers }: CommandContext): PeerAdmin {
  if (peers !== null) return peers;
  throw new BoardError('not_found', 'This process does not keep peers.');
}

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

/** The mesh commits by itself, so the trail's row comes after it. */
async function auditedChange<T>(
  context: CommandContext,
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

const board = said(300).describe('The name of a board, or its URL.');
const onePeer = z.strictObject({ board });
const reason = said(1000).exactOptional();
const trust = z.enum(PEER_TRUST).exactOptional();
const content = z.enum(PEER_CONTENT).exactOptional();
const vkey = said(300).describe('The log key that the identity shows.');
const quota = z.int().min(0).nullable();

/** For admins with a fresh credential. */
function change<
  const Name extends `peer.${string}`,
  Input extends z.ZodObject,
  A,
>(
  name: Name,
  summary: string,
  input: Input,
  work: (peers: PeerAdmin, input: z.output<Input>) => Promise<A>,
) {
  return command({
    name,
    right: 'admin',
    fresh: true,
    summary,
    input,
    handle: ({ ctx, operator, input }): Promise<A> =>
      auditedChange(ctx, operator, name, input, (peers) => work(peers, input)),
  });
}

// spec/mesh.md §B8

export const listPeers = command({
  name: 'peer.list',
  right: 'viewer',
  summary: 'Every peer, its status and sizes.',
  handle: ({ ctx }) => peersOf(ctx).list(),
});

export const readPeer = command({
  name: 'peer.read',
  right: 'viewer',
  summary: 'One peer by its board name or its URL.',
  input: onePeer,
  handle: ({ ctx, input: { board } }) => peersOf(ctx).read(board),
});

export const addPeer = change(
  'peer.add',
  'Fetches the identity of a board and adds it as a peer.',
  z.strictObject({
    url: said(300),
    confirm: vkey.exactOptional(),
    trust,
    content,
  }),
  (peers, { url, ...options }) => peers.add(url, options),
);

export const confirmPeer = change(
  'peer.confirm',
  'Pins the log key of a pending peer, or accepts a changed identity.',
  z.strictObject({
    board,
    log_vkey: vkey,
    address: said(300)
      .describe('The address that is confirmed, as it was seen.')
      .exactOptional(),
  }),
  (peers, { board, log_vkey, ...seen }) => peers.confirm(board, log_vkey, seen),
);

export const trustPeer = change(
  'peer.trust',
  'Sets how far a peer is trusted.',
  z.strictObject({
    board,
    trust,
    content,
    decisions: z.enum(PEER_DECISIONS).exactOptional(),
  }),
  (peers, { board, ...to }) => peers.trust(board, to),
);

export const limitPeer = change(
  'peer.limits',
  'Sets the quotas of a peer.',
  z.strictObject({
    board,
    ...peerLimits(() => quota.exactOptional()),
    probation: z.literal(false).exactOptional(),
  }),
  (peers, { board, ...to }) => peers.limits(board, to),
);

export const pausePeer = change(
  'peer.pause',
  'Stops the traffic of a peer.',
  onePeer,
  (peers, { board }) => peers.pause(board),
);

export const resumePeer = change(
  'peer.resume',
  'Starts a peer again after pause, quarantine or block.',
  onePeer,
  (peers, { board }) => peers.resume(board),
);

export const blockPeer = change(
  'peer.block',
  'Ends all traffic of a peer and erases its mirror.',
  z.strictObject({ board, reason }),
  (peers, { board, reason }) => peers.block(board, reason),
);

export const holdingsOfPeer = command({
  name: 'peer.holdings',
  right: 'viewer',
  summary: 'How many texts of a peer are kept here, and are only here.',
  input: onePeer,
  handle: ({ ctx, input: { board } }) => peersOf(ctx).holdings(board),
});

/** `message_id` and `since`: of the oldest removal. */
export const unacknowledged = command({
  name: 'peer.unacknowledged',
  right: 'viewer',
  summary: 'Peers that have not acknowledged removals, with how many.',
  handle: async ({ ctx: { reads, clock } }) => {
    const rows = await unackedRemovals(reads, clock.now());
    return { data: rows.map(({ name: board, ...it }) => ({ board, ...it })) };
  },
});

export const forgetPeer = change(
  'peer.forget',
  'Removes a peer and what is mirrored of it; its confirmed key, quarantine and evidence stay.',
  onePeer,
  (peers, { board }) => peers.forget(board),
);

export const hideMirrored = change(
  'peer.hide',
  'Hides one mirrored message on this node, or shows it again.',
  z.strictObject({ board, id, reason, undo: z.boolean().exactOptional() }),
  (peers, { board, id, ...options }) => peers.hide(board, id, options),
);

export const exportPolicy = command({
  name: 'peer.policy_export',
  right: 'admin',
  summary: 'Everything decided about peers, as JSON.',
  handle: ({ ctx }) => peersOf(ctx).exportPolicy(),
});

export const importPolicy = command({
  name: 'peer.policy_import',
  right: 'admin',
  fresh: true,
  summary: 'Shows what a policy would change here, or changes it.',
  input: z.strictObject({
    policy: z.unknown(),
    apply: z.boolean().default(false),
  }),
  handle: async ({ ctx, operator, input: { policy, apply } }) => {
    const work = (peers: PeerAdmin) => peers.importPolicy(policy, { apply });
    if (!apply) return await work(peersOf(ctx));
    const input = { policy, apply };
    const name = 'peer.policy_import';
    return await auditedChange(ctx, operator, name, input, work);
  },
});
