import { sha256, toHex, utf8 } from '../../protocol/bytes.js';
import {
  type OpenedCheckpoint,
  openCheckpoint,
  verifyCosignature,
} from '../../protocol/checkpoint.js';
import { parseEvidence, verifyEvidence } from '../../protocol/evidence.js';
import { readObject, readString } from '../../protocol/json.js';
import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import { type Answer, type Ask, notRefused, said, textOf } from './asking.js';
import { type Findings, few } from './findings.js';
import type { LogToRead } from './read-log.js';
import { readLog } from './read-log.js';

/** A log that a board says it keeps, under the key that it has pinned. */
type Kept = { name: string; logVkey: Vkey; checkpoint: string };

/** Rows of what can be long are looked at up to this many. */
const MOST = 5;

/** The peers of which a board shows a checkpoint, of its `/api/mesh`. */
export function keptLogs(document: Record<string, unknown> | null): Kept[] {
  const peers = Array.isArray(document?.peers) ? document.peers : [];
  return peers.flatMap((value) => {
    const peer = readObject(value);
    const vkey = parseVkey(readString(peer?.log_vkey) ?? '');
    const checkpoint = readString(peer?.last_checkpoint);
    const name = readString(peer?.name);
    if (!vkey.ok || checkpoint === null || name === null) return [];
    return [{ name, logVkey: vkey.value, checkpoint }];
  });
}

/** Why a checkpoint is not one of the log with a board's cosignature. */
function notCosigned(note: string, log: Vkey, cosigner: Vkey): string | null {
  const opened = openCheckpoint(note, log);
  if (!opened.ok) return opened.reason;
  return cosigned(opened.value, cosigner) ? null : 'no cosignature of it';
}

function cosigned({ note }: OpenedCheckpoint, cosigner: Vkey): boolean {
  return note.signatures.some(
    (line) => verifyCosignature(note.text, line, cosigner).ok,
  );
}

/** What a witness shows: the logs that it watches, cosigned. */
export function checkGossip(
  findings: Findings,
  kept: readonly Kept[],
  cosigner: Vkey,
): void {
  const rule =
    'each `last_checkpoint` has the signature of its log and the own cosignature';
  if (kept.length === 0) {
    findings.note('B6', rule, 'it shows a checkpoint of no other log');
    return;
  }
  const bad = kept.flatMap(({ name, logVkey, checkpoint }) => {
    const why = notCosigned(checkpoint, logVkey, cosigner);
    return why === null ? [] : [`${name}: ${why}`];
  });
  findings.note('B6', rule, few(bad));
}

type Mirror = Pick<LogToRead, 'client' | 'textRules'> & {
  ask: Ask;
  baseUrl: string;
  cosigner: Vkey;
};

/** What a mirror serves: the logs that it cosigned, whole. */
export async function checkMirrors(
  findings: Findings,
  kept: readonly Kept[],
  mirror: Mirror,
): Promise<void> {
  const { ask, baseUrl, cosigner, ...how } = mirror;
  if (kept.length === 0) {
    findings.note('B7.5', 'it mirrors other logs', 'it mirrors none');
  }
  for (const { name, logVkey } of kept.slice(0, MOST)) {
    const prefix = `/mirror/${toHex(sha256(utf8(logVkey.name)))}`;
    const answer = await ask(`${prefix}/checkpoint`);
    findings.note(
      'B7.5',
      `the mirror of ${name} has a checkpoint of that log, cosigned`,
      answer.status === 200
        ? notCosigned(textOf(answer), logVkey, cosigner)
        : said(answer),
    );
    const source = { baseUrl, prefix };
    const log = await readLog({ ...how, source, board: name, logVkey });
    findings.note(
      'B7.5',
      `the mirror of ${name} serves its entries from the first one`,
      log.refusal && `the page from ${log.refusal.from}: ${log.refusal.reason}`,
    );
  }
  findings.note(
    'B7.5',
    'a log that it does not mirror is 404 `unknown_origin`',
    notRefused(
      await ask(`/mirror/${'0'.repeat(64)}/checkpoint`),
      404,
      'unknown_origin',
    ),
  );
}

/** Evidence proves itself, and is named by its hash. */
export async function checkEvidence(
  findings: Findings,
  ask: Ask,
): Promise<void> {
  const list = await ask('/api/mesh/evidence');
  const data = list.json?.data;
  findings.note(
    'B8.2',
    'GET /api/mesh/evidence lists what it has',
    Array.isArray(data) ? null : `${said(list)}, no list`,
  );
  if (!Array.isArray(data)) return;
  for (const item of data.slice(0, MOST)) {
    const hash = readString(readObject(item)?.sha256) ?? '';
    if (!/^[0-9a-f]{64}$/.test(hash)) {
      findings.note('B8.2', 'evidence is named by its hash', 'a bad name');
      continue;
    }
    const answer = await ask(`/api/mesh/evidence/${hash}`, 16_384);
    findings.note(
      'B8.2',
      `evidence ${hash.slice(0, 8)} proves itself`,
      faultOfEvidence(answer, hash),
    );
  }
}

function faultOfEvidence(answer: Answer, hash: string): string | null {
  const { body, status } = answer;
  if (status !== 200) return said(answer);
  if (toHex(sha256(body)) !== hash) return 'its bytes have another hash';
  const evidence = parseEvidence(body);
  return evidence.ok && verifyEvidence(evidence.value)
    ? null
    : 'it proves nothing';
}
