import { readFile } from 'node:fs/promises';
import { inertLine } from '../../client/cli/inert.js';
import { Progress } from '../../client/cli/progress.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { type JsonOption, print } from '../../server/cli/output.js';
import { commandLine } from '../../server/dashboard/commands/command.js';
import { doCommand } from '../../server/dashboard/commands/list.js';
import type {
  CommandAnswers,
  CommandName,
} from '../../server/dashboard/schemas/commands.js';
import type { PeerTrust } from '../../server/db/states.js';
import {
  type AddOptions,
  type ConfirmOptions,
  type LimitsChange,
  PEER_LIMITS,
  type PeerDetail,
  type PolicyDifference,
  type TrustChange,
} from '../mesh-ports.js';
import { movedText, waitingIdentity } from '../peers/adopt-identity.js';
import { withPeers } from './with-local-board.js';

type PeerCommand = Extract<CommandName, `peer.${string}`>;

/** A command of the dashboard about peers, on the trail as one of theirs. */
function asOperator<N extends PeerCommand>(
  name: N,
  input: object,
): Promise<CommandAnswers[N]> {
  const given = Object.entries(input).filter(([, it]) => it !== undefined);
  return withPeers((context) =>
    doCommand(
      context,
      commandLine('operator'),
      name,
      Object.fromEntries(given),
    ),
  );
}

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

/** `peer add <url>`: shows the identity; with `--confirm` it is active. */
export function peerAdd(
  url: string,
  flags: JsonOption & AddOptions,
): Promise<void> {
  const { json: _, ...options } = flags;
  return onePeer('asking', flags, 'peer.add', { url, ...options });
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

export function peerTrust(
  board: string,
  trust: PeerTrust | undefined,
  flags: JsonOption & TrustChange,
): Promise<void> {
  const { content, decisions } = flags;
  const change = { trust, content, decisions };
  if (Object.values(change).every((value) => value === undefined)) {
    throw new CommandFailure(
      'Say what to change: a trust (witness, proofs, mirror, relay), --content or --decisions.',
    );
  }
  return onePeer('changing', flags, 'peer.trust', { board, ...change });
}

type LimitColumn = (typeof PEER_LIMITS)[number]['column'];
type LimitFlags = JsonOption & { [Column in LimitColumn]?: string } & {
  /** False by `--no-probation`. */
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

export function peerBlock(
  board: string,
  flags: JsonOption & { reason?: string },
): Promise<void> {
  const { reason } = flags;
  return onePeer('erasing', flags, 'peer.block', { board, reason });
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

/** `peer policy export`: the policy alone on standard output, as JSON. */
export async function policyExport(): Promise<void> {
  const policy = await asOperator('peer.policy_export', {});
  process.stdout.write(`${JSON.stringify(policy, null, 2)}\n`);
}

/** `peer policy import <file>`: a dry run, unless `--apply`. */
export async function policyImport(
  file: string,
  { json = false, apply = false }: JsonOption & { apply?: boolean },
): Promise<void> {
  const policy = await readPolicy(file);
  const progress = new Progress('importing', json);
  const differences = await progress.during(
    asOperator('peer.policy_import', { policy, apply }),
  );
  const refused = differences.filter(({ action }) => action === 'refused');
  const ok = refused.length === 0;
  print(
    json,
    { ok, applied: apply, differences },
    differenceLines(differences, apply),
  );
  if (ok) return;
  process.stderr.write(
    `reserve-board: ${refused.length} of ${differences.length} peers of the policy are refused; the reasons stand beside them.\n`,
  );
  process.exitCode = 1;
}

async function readPolicy(file: string): Promise<unknown> {
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure(
      `${file} is no JSON; "reserve-board peer policy export" writes a policy.`,
    );
  }
}

function pinnedOf(peer: PeerDetail) {
  const { name, base_url: baseUrl, pending_identity: pendingIdentity } = peer;
  return { name, baseUrl, pendingIdentity };
}

function peerTable(peers: readonly PeerDetail[]): string {
  if (peers.length === 0) return 'No peers; "peer add <url>" adds one.';
  const rows = peers.map((peer) => [
    peer.name,
    peer.status,
    peer.trust,
    `${peer.mirrored_size}/${peer.remote_size}`,
    String(peer.acked_size),
    peer.last_error?.code ?? peer.status_reason ?? '-',
  ]);
  const head = ['board', 'status', 'trust', 'mirrored', 'acked', 'last error'];
  const all = [head, ...rows.map((row) => row.map(inertLine))];
  const widths = head.map((_, at) =>
    Math.max(...all.map((row) => row[at]?.length ?? 0)),
  );
  const table = all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const moved = peers.flatMap((peer) => movedText(pinnedOf(peer)) ?? []);
  return [...table, ...moved.map(inertLine)].join('\n');
}

/** One peer with the keys that an operator compares before confirming. */
export function peerCard(peer: PeerDetail): string {
  const lines = [
    `${peer.name} (${peer.base_url}) is ${peer.status}, trust ${peer.trust}, content ${peer.content}, decisions ${peer.decisions}`,
    `log key: ${peer.log_vkey}`,
  ];
  if (peer.status === 'pending') {
    lines.push(
      `Compare that key with the board's operator, then: reserve-board peer confirm ${peer.name} '${peer.log_vkey}'`,
    );
  }
  const moved = movedText(pinnedOf(peer));
  if (moved !== null) lines.push(moved);
  if (peer.pending_identity !== null) {
    lines.push(
      peer.pending_identity_signed === true
        ? 'It shows another identity, signed by the key you confirmed:'
        : 'It shows another identity, NOT signed by the key you confirmed: compare the new key with its operators:',
      peer.pending_identity,
    );
    const key = waitingIdentity(pinnedOf(peer))?.log;
    if (moved === null && key !== undefined) {
      lines.push(
        `To accept it: reserve-board peer confirm ${peer.name} '${key}'`,
      );
    }
  }
  return lines
    .map((line) => line.split('\n').map(inertLine).join('\n'))
    .join('\n');
}

function differenceLines(
  differences: readonly PolicyDifference[],
  applied: boolean,
): string {
  const lines = differences.flatMap(({ name, action, changes, detail }) => [
    `${action}: ${name}${detail === undefined ? '' : ` (${detail})`}`,
    ...changes.map(
      ({ field, from, to }) =>
        `  ${field}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`,
    ),
  ]);
  const last = applied
    ? 'Applied.'
    : 'Nothing was changed; add --apply to change it.';
  return [...lines.map(inertLine), last].join('\n');
}
