import { readFile } from 'node:fs/promises';
import { Progress } from '../../client/cli/progress.js';
import { CommandFailure } from '../../server/cli/failure.js';
import { type JsonOption, print } from '../../server/cli/output.js';
import type {
  ConfirmOptions,
  LimitsChange,
  PeerDesk,
  PeerDetail,
  PeerTrust,
  TrustChange,
} from '../mesh-ports.js';
import { differenceLines, peerCard, peerTable } from './peer-lines.js';
import { withDesk } from './with-local-board.js';

type AddFlags = JsonOption & {
  confirm?: string;
  trust?: PeerTrust;
  content?: 'signed' | 'all';
};

async function onePeer(
  label: string,
  { json = false }: JsonOption,
  work: (desk: PeerDesk) => Promise<PeerDetail>,
): Promise<void> {
  const peer = await new Progress(label, json).during(withDesk(work));
  print(json, { ok: true, peer }, peerCard(peer));
}

/** `peer add <url>`: shows the identity; with `--confirm` it is active. */
export function peerAdd(url: string, flags: AddFlags): Promise<void> {
  const { json: _, ...options } = flags;
  return onePeer('asking', flags, (desk) => desk.add(url, options));
}

export async function peerList({ json = false }: JsonOption): Promise<void> {
  const peers = await withDesk((desk) => desk.list());
  print(json, peers, peerTable(peers));
}

export function peerConfirm(
  board: string,
  vkey: string,
  flags: JsonOption & ConfirmOptions,
): Promise<void> {
  const { address } = flags;
  const seen = address === undefined ? {} : { address };
  return onePeer('confirming', flags, (desk) =>
    desk.confirm(board, vkey, seen),
  );
}

export function peerTrust(
  board: string,
  trust: PeerTrust | undefined,
  flags: JsonOption & TrustChange,
): Promise<void> {
  const { content, decisions } = flags;
  const change: TrustChange = {
    ...(trust === undefined ? {} : { trust }),
    ...(content === undefined ? {} : { content }),
    ...(decisions === undefined ? {} : { decisions }),
  };
  if (Object.keys(change).length === 0) {
    throw new CommandFailure(
      'Say what to change: a trust (witness, proofs, mirror, relay), --content or --decisions.',
    );
  }
  return onePeer('changing', flags, (desk) => desk.trust(board, change));
}

type LimitFlags = JsonOption & {
  entriesDay?: string;
  contentBytesDay?: string;
  backfillBytesHour?: string;
  /** False by `--no-probation`. */
  probation: boolean;
};

export function peerLimits(board: string, flags: LimitFlags): Promise<void> {
  const change: LimitsChange = {
    ...quota('entries_day', flags.entriesDay),
    ...quota('content_bytes_day', flags.contentBytesDay),
    ...quota('backfill_bytes_hour', flags.backfillBytesHour),
    ...(flags.probation ? {} : { probation: false }),
  };
  return onePeer('changing', flags, (desk) => desk.limits(board, change));
}

function quota(name: keyof LimitsChange, text: string | undefined) {
  if (text === undefined) return {};
  if (text === 'default') return { [name]: null };
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(text)) return { [name]: Number(text) };
  throw new CommandFailure(`${name} is a whole number or "default".`);
}

export function peerPause(board: string, flags: JsonOption): Promise<void> {
  return onePeer('pausing', flags, (desk) => desk.pause(board));
}

export function peerResume(board: string, flags: JsonOption): Promise<void> {
  return onePeer('resuming', flags, (desk) => desk.resume(board));
}

export function peerBlock(
  board: string,
  flags: JsonOption & { reason?: string },
): Promise<void> {
  return onePeer('erasing', flags, (desk) => desk.block(board, flags.reason));
}

export async function peerHide(
  board: string,
  id: string,
  flags: JsonOption & { reason?: string; undo?: boolean },
): Promise<void> {
  const { json = false, reason, undo = false } = flags;
  const options = { undo, ...(reason === undefined ? {} : { reason }) };
  const done = await withDesk((desk) => desk.hide(board, Number(id), options));
  const state = done.hidden ? 'hidden here' : 'shown here again';
  print(
    json,
    { ok: true, ...done },
    `Message ${done.id} of ${done.board} is ${state}.`,
  );
}

/** `peer policy export`: the policy alone on standard output, as JSON. */
export async function policyExport(): Promise<void> {
  const policy = await withDesk((desk) => desk.exportPolicy());
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
    withDesk((desk) => desk.importPolicy(policy, { apply })),
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
