import { inertLine } from '../../client/cli/inert.js';
import { Progress } from '../../client/cli/progress.js';
import { CommandFailure } from '../../server/cli/failure.js';
import {
  agree,
  ask,
  canAsk,
  type JsonOption,
  print,
} from '../../server/cli/output.js';
import type { PeerTrust } from '../../server/db/states.js';
import type { PeerHoldings } from '../mesh-ports.js';
import {
  type AddOptions,
  type ConfirmOptions,
  type LimitsChange,
  PEER_LIMITS,
  type TrustChange,
} from '../mesh-ports.js';
import { asOperator } from './peer-operator.js';
import { linkText, peerCard, peerTable } from './peer-text.js';

type OnePeer = 'add' | 'confirm' | 'trust' | 'limits' | 'pause' | 'resume';

async function onePeer(
  label: string,
  { json = false }: JsonOption,
  name: `peer.${OnePeer | 'block'}`,
  input: object,
): Promise<void> {
  const peer = await new Progress(label, json).during(asOperator(name, input));
  print(json, { ok: true, peer }, peerCard(peer));
}

/**
 * `peer add <url>`; with `--confirm` the peer is active. Asks which texts to
 * keep, unless `--content` says it (spec/board.md §16.10).
 */
export async function peerAdd(
  url: string,
  flags: JsonOption & AddOptions,
): Promise<void> {
  const { json = false, ...options } = flags;
  const peer = await new Progress('asking', json).during(
    asOperator('peer.add', { url, ...options }),
  );
  print(json, { ok: true, peer }, [peerCard(peer), linkText(peer)].join('\n'));
  if (options.content !== undefined || !canAsk({ json })) return;
  const answer = await ask(
    'Which texts to keep of it, signed or all? [signed] ',
  );
  if (answer !== 'all') return;
  const changed = { board: peer.name, content: 'all' };
  await onePeer('changing', flags, 'peer.trust', changed);
}

export async function peerList({ json = false }: JsonOption): Promise<void> {
  const peers = await asOperator('peer.list', {});
  print(json, peers, peerTable(peers));
}

export function peerConfirm(
  board: string,
  vkey: string,
  flags: JsonOption & ConfirmOptions,
): Promise<void> {
  const { address } = flags;
  const input = { board, log_vkey: vkey, address };
  return onePeer('confirming', flags, 'peer.confirm', input);
}

export async function peerTrust(
  board: string,
  trust: PeerTrust | undefined,
  flags: Asking & TrustChange,
): Promise<void> {
  const { content, decisions } = flags;
  const change = { trust, content, decisions };
  if (Object.values(change).every((value) => value === undefined)) {
    throw new CommandFailure(
      'Say what to change: a trust (witness, proofs, mirror, relay), --content or --decisions.',
    );
  }
  const held = await asOperator('peer.holdings', { board });
  const keeps = trust === undefined || ['mirror', 'relay'].includes(trust);
  const deleted = keeps ? (content === 'signed' ? held.guests : 0) : held.texts;
  await agreeToDelete(flags, held, deleted, [
    `This narrows what is kept of ${held.name}.`,
  ]);
  await onePeer('changing', flags, 'peer.trust', { board, ...change });
}

type LimitColumn = (typeof PEER_LIMITS)[number]['column'];
type LimitFlags = JsonOption & { [Column in LimitColumn]?: string } & {
  /** False: `--no-probation`. */
  probation: boolean;
};

export function peerLimits(board: string, flags: LimitFlags): Promise<void> {
  const change: LimitsChange = flags.probation ? {} : { probation: false };
  for (const { name, column } of PEER_LIMITS) {
    const text = flags[column];
    if (text !== undefined) change[name] = limitOf(name, text);
  }
  return onePeer('changing', flags, 'peer.limits', { board, ...change });
}

function limitOf(name: string, text: string): number | null {
  if (text === 'default') return null;
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(text)) return Number(text);
  throw new CommandFailure(`${name} is a whole number or "default".`);
}

export function peerPause(board: string, flags: JsonOption): Promise<void> {
  return onePeer('pausing', flags, 'peer.pause', { board });
}

export function peerResume(board: string, flags: JsonOption): Promise<void> {
  return onePeer('resuming', flags, 'peer.resume', { board });
}

/** Erases the mirror. */
export async function peerBlock(
  board: string,
  flags: Asking & { reason?: string },
): Promise<void> {
  const { reason } = flags;
  const held = await asOperator('peer.holdings', { board });
  await agreeToDelete(flags, held, held.texts, [
    `Blocking ${held.name} ends all traffic with it and deletes every text of it that is kept here; "peer pause" keeps them.`,
  ]);
  await onePeer('erasing', flags, 'peer.block', { board, reason });
}

/** Warns of texts that only this board has. */
export async function peerForget(board: string, flags: Asking): Promise<void> {
  const { json = false } = flags;
  const held = await asOperator('peer.holdings', { board });
  await agreeToDelete(flags, held, null, [
    `Forgetting ${held.name} ends all traffic with it and deletes every text of it that is kept here.`,
    'Its confirmed key, its quarantine and the evidence against it stay, for the day when it is added again.',
  ]);
  const work = asOperator('peer.forget', { board });
  const gone = await new Progress('forgetting', json).during(work);
  print(
    json,
    { ok: true, forgotten: gone },
    inertLine(
      `${gone.name} is forgotten, and ${textCount(gone.texts)} of it deleted, of which ${gone.only_here} were known on no other board.`,
    ),
  );
}

export async function peerHide(
  board: string,
  id: string,
  flags: JsonOption & { reason?: string; undo?: boolean },
): Promise<void> {
  const { json = false, reason, undo = false } = flags;
  const input = { board, id: Number(id), reason, undo };
  const done = await asOperator('peer.hide', input);
  const state = done.hidden ? 'hidden here' : 'shown here again';
  print(
    json,
    { ok: true, ...done },
    `Message ${done.id} of ${done.board} is ${state}.`,
  );
}

type Asking = JsonOption & { yes?: boolean };

/**
 * Asks for the board's name; `--yes` in scripts. `deleted` null: always asks.
 * @throws CommandFailure where nobody agrees
 */
async function agreeToDelete(
  flags: Asking,
  held: PeerHoldings,
  deleted: number | null,
  lines: readonly string[],
): Promise<void> {
  if (flags.yes || deleted === 0) return;
  const { name, guests, only_here: onlyHere } = held;
  const counts = `It deletes ${textCount(deleted ?? held.texts)}. Of ${name} this board keeps ${textCount(held.texts)}, ${guests} of them of guests; ${onlyHere} are known on no other board.`;
  const all = [...lines, counts].map(inertLine);
  if (canAsk(flags)) {
    if (await agree(all, inertLine(name))) return;
    throw new CommandFailure('Nothing was changed.');
  }
  throw new CommandFailure(`${all.join(' ')} Add --yes to do it.`, { held });
}

function textCount(count: number): string {
  return count === 1 ? '1 text' : `${count} texts`;
}
