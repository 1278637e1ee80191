import { z } from 'zod';
import {
  optionChanges,
  type PeerAdmin,
  peerLimits,
  settingsOf,
} from '../../../mesh/mesh-ports.js';
import { BoardError } from '../../errors.js';
import { recordAudit } from '../audit.js';
import {
  type CommandContext,
  command,
  type Operator,
  peersOf,
} from '../command.js';
import { id, said } from '../fields.js';
import { assertSeen } from '../refusals.js';
import { unackedRemovals } from './figures.sql.js';

type Input = object & { board?: string; url?: string; seen?: unknown };

/** The mesh commits by itself, so the trail's row comes after it. */
async function auditedChange<T>(
  context: CommandContext,
  operator: Operator,
  action: string,
  { seen, ...input }: Input,
  work: (peers: PeerAdmin) => Promise<T>,
): Promise<T> {
  const peers = peersOf(context);
  const board = input.board ?? input.url ?? 'policy';
  const known = await peers.read(board).catch((error: unknown) => {
    if (error instanceof BoardError) return null;
    throw error;
  });
  const settings = known && settingsOf(known);
  if (settings) assertSeen<unknown>(seen, settings, 'peer');
  const before = settings && { ...settings, status: known.status };
  const done = await work(peers);
  const entry = { action, subject: `peer:${board}`, before, after: input };
  await context.writes.transaction((tx) =>
    recordAudit(tx, operator, entry, context.clock.now()),
  );
  return done;
}

const board = said(300).describe('The name of a board, or its URL.');
const onePeer = z.strictObject({ board });
const shownPeer = {
  board,
  seen: z.looseObject({}).optional().describe('Its settings, as shown.'),
};
const reason = said(1000).describe('For the other operators.').exactOptional();
const vkey = said(300).describe('The log key that the identity shows.');
const quota = z.int().min(0).nullable();

/** For admins with a fresh credential; `peer <verb>` on the command line. */
function change<const Verb extends string, Input extends z.ZodObject, A>(
  verb: Verb,
  summary: string,
  input: Input,
  work: (peers: PeerAdmin, input: z.output<Input>) => Promise<A>,
  positional: readonly (keyof z.output<Input> & string)[] = ['board'],
) {
  const name = `peer.${verb}` as const;
  return command({
    name,
    right: 'admin',
    fresh: true,
    summary,
    input,
    cli: { words: `peer ${verb}`, positional },
    handle: ({ ctx, operator, input }): Promise<A> =>
      auditedChange(ctx, operator, name, input, (peers) => work(peers, input)),
  });
}

// spec/mesh.md §B8

export const listPeers = command({
  name: 'peer.list',
  reads: true,
  right: 'viewer',
  summary: 'Every peer, its status and sizes.',
  cli: { words: 'peer list' },
  handle: ({ ctx }) => peersOf(ctx).list(),
});

export const readPeer = command({
  name: 'peer.read',
  reads: true,
  right: 'viewer',
  summary: 'One peer by its board name or its URL.',
  input: onePeer,
  handle: ({ ctx, input: { board } }) => peersOf(ctx).read(board),
});

export const addPeer = change(
  'add',
  'Fetches the identity of a board and adds it as a peer.',
  z.strictObject({
    url: said(300),
    confirm: vkey
      .describe('Confirm it at once, if this is its log key.')
      .exactOptional(),
    trust: optionChanges.trust,
    content: optionChanges.content,
  }),
  (peers, { url, ...options }) => peers.add(url, options),
  ['url'],
);

export const confirmPeer = change(
  'confirm',
  'Pins the log key of a pending peer, or accepts a changed identity.',
  z.strictObject({
    board,
    log_vkey: vkey,
    address: said(300)
      .describe('The address that is confirmed, as it was seen.')
      .exactOptional(),
  }),
  (peers, { board, log_vkey, ...seen }) => peers.confirm(board, log_vkey, seen),
  ['board', 'log_vkey'],
);

export const trustPeer = change(
  'trust',
  'Sets how far a peer is trusted.',
  z.strictObject({ ...shownPeer, ...optionChanges }),
  (peers, { board, ...to }) => peers.trust(board, to),
  ['board', 'trust'],
);

export const limitPeer = change(
  'limits',
  'Sets the quotas of a peer.',
  z.strictObject({
    ...shownPeer,
    ...peerLimits(({ label }) =>
      quota.describe(`${label}, or default.`).exactOptional(),
    ),
    probation: z
      .literal(false)
      .describe("End the first week's tenth of the quotas.")
      .exactOptional(),
  }),
  (peers, { board, ...to }) => peers.limits(board, to),
);

export const pausePeer = change(
  'pause',
  'Stops the traffic of a peer.',
  z.strictObject(shownPeer),
  (peers, { board }) => peers.pause(board),
);

export const resumePeer = change(
  'resume',
  'Starts a peer again after pause, quarantine or block.',
  z.strictObject(shownPeer),
  (peers, { board }) => peers.resume(board),
);

export const blockPeer = change(
  'block',
  'Ends all traffic of a peer and erases its mirror.',
  z.strictObject({ ...shownPeer, reason }),
  (peers, { board, reason }) => peers.block(board, reason),
);

export const holdingsOfPeer = command({
  name: 'peer.holdings',
  reads: true,
  right: 'viewer',
  summary: 'How many texts of a peer are kept here, and are only here.',
  input: onePeer,
  handle: ({ ctx, input: { board } }) => peersOf(ctx).holdings(board),
});

/** `message_id` and `since`: of the oldest removal. */
export const unacknowledged = command({
  name: 'peer.unacknowledged',
  reads: true,
  right: 'viewer',
  summary: 'Peers that have not acknowledged removals, with how many.',
  handle: async ({ ctx: { reads, clock } }) => {
    const rows = await unackedRemovals(reads, clock.now());
    return { data: rows.map(({ name: board, ...it }) => ({ board, ...it })) };
  },
});

export const forgetPeer = change(
  'forget',
  'Removes a peer and what is mirrored of it; its confirmed key, quarantine and evidence stay.',
  z.strictObject(shownPeer),
  (peers, { board }) => peers.forget(board),
);

export const hideMirrored = change(
  'hide',
  'Hides one mirrored message on this node, or shows it again.',
  z.strictObject({
    board,
    id,
    reason,
    undo: z.boolean().describe('Show again.').exactOptional(),
  }),
  (peers, { board, id, ...options }) => peers.hide(board, id, options),
  ['board', 'id'],
);

export const exportPolicy = command({
  name: 'peer.policy_export',
  reads: true,
  right: 'admin',
  summary: 'Everything decided about peers, as JSON.',
  handle: ({ ctx }) => peersOf(ctx).exportPolicy(),
});

export const importPolicy = command({
  name: 'peer.policy_import',
  right: 'admin',
  fresh: true,
  summary: 'Show what a policy would change here, or change it.',
  input: z.strictObject({
    policy: z.unknown(),
    apply: z.boolean().default(false),
    seen: z.unknown().optional().describe('As shown without `apply`.'),
  }),
  handle: async ({ ctx, operator, input: { seen, ...input } }) => {
    const { policy, apply } = input;
    const work = (peers: PeerAdmin) => peers.importPolicy(policy, { apply });
    const now = await peersOf(ctx).importPolicy(policy);
    if (!apply) return now;
    assertSeen(seen, now, 'list of linked boards');
    const name = 'peer.policy_import';
    return await auditedChange(ctx, operator, name, input, work);
  },
});
