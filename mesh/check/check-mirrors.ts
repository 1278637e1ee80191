import { sha256, toHex, utf8 } from '../../protocol/bytes.js';
import {
  type OpenedCheckpoint,
  openCheckpoint,
  verifyCosignature,
} from '../../protocol/checkpoint.js';
import { parseEvidence, verifyEvidence } from '../../protocol/evidence.js';
import { readObject, readString } from '../../protocol/json.js';
import { isLineOf } from '../../protocol/note.js';
import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import type { TextRules } from '../pull/verify/text-rules.js';
import { type Answer, said, textOf } from './asking.js';
import { type Checked, few } from './findings.js';
import { readLog } from './read-log.js';

/** Under the key that the board has pinned. */
type Kept = { name: string; logVkey: Vkey; checkpoint: string };

/** Rows checked of long lists. */
const MOST = 5;

/** With a checkpoint. */
function keptLogs(peers: readonly unknown[]): Kept[] {
  return peers.flatMap((value) => {
    const peer = readObject(value);
    const vkey = parseVkey(readString(peer?.log_vkey) ?? '');
    const checkpoint = readString(peer?.last_checkpoint);
    const name = readString(peer?.name);
    if (!vkey.ok || checkpoint === null || name === null) return [];
    return [{ name, logVkey: vkey.value, checkpoint }];
  });
}

/** Why a checkpoint is not one that a board may show of a log. */
function faultOf(note: string, log: Vkey, cosigner: Vkey): string | null {
  const opened = openCheckpoint(note, log);
  if (!opened.ok) return opened.reason;
  const bad = ownLines(opened.value, cosigner).find(
    (line) => !verifyCosignature(opened.value.note.text, line, cosigner).ok,
  );
  return bad === undefined ? null : 'its own cosignature is none of it';
}

/** None before the first cosignature (spec/mesh.md §B6). */
function ownLines({ note }: OpenedCheckpoint, cosigner: Vkey) {
  return note.signatures.filter((line) => isLineOf(line, cosigner));
}

/** The logs that it watches, cosigned; returns them. */
export function checkGossip({ findings, document, identity }: Checked): Kept[] {
  const { mirror: cosigner } = identity.keys;
  const listed = document?.peers;
  const peers = Array.isArray(listed) ? listed : [];
  const none = peers === listed ? null : 'it has no list of them';
  findings.note('B6 GET /api/mesh lists its peers', none);
  const kept = keptLogs(peers);
  const why = peers.length
    ? 'no peer has both `last_checkpoint` and `log_vkey`'
    : 'it lists no peer';
  const bad = kept.flatMap(({ name, logVkey, checkpoint }) => {
    const why = faultOf(checkpoint, logVkey, cosigner);
    return why === null ? [] : [`${name}: ${why}`];
  });
  const hasKept = kept.length > 0;
  findings.note(
    'B6 each `last_checkpoint` has the signature of its log, and no wrong cosignature of its own',
    hasKept ? few(bad) : undefined,
    why,
  );
  const isCosigning = kept.some(({ logVkey, checkpoint }) => {
    const opened = openCheckpoint(checkpoint, logVkey);
    return opened.ok && ownLines(opened.value, cosigner).length > 0;
  });
  findings.note(
    'B7.1 it cosigns the logs that it watches',
    isCosigning ? null : undefined,
    hasKept ? 'no `last_checkpoint` has its line yet' : why,
  );
  return kept;
}

/** A mirror's cosigned logs, whole. */
export async function checkMirrors(
  { ask, base, client, findings, identity }: Checked,
  kept: readonly Kept[],
  textRules: TextRules,
): Promise<void> {
  if (kept.length === 0) {
    findings.note('B7.5 it mirrors other logs', undefined, 'it lists none');
  }
  for (const { name, logVkey } of kept.slice(0, MOST)) {
    const prefix = `/mirror/${toHex(sha256(utf8(logVkey.name)))}`;
    const answer = await ask(`${prefix}/checkpoint`);
    findings.note(
      `B7.5 the mirror of ${name} has a checkpoint of that log`,
      answer.status === 200
        ? faultOf(textOf(answer), logVkey, identity.keys.mirror)
        : said(answer),
    );
    const source = { baseUrl: base, prefix };
    const how = { client, textRules, source, board: name, logVkey };
    const log = await readLog(how);
    findings.note(
      `B7.5 the mirror of ${name} serves its entries from the first one`,
      log.refusal && `the page from ${log.refusal.from}: ${log.refusal.reason}`,
    );
  }
  findings.refused(
    'B7.5 a log that it does not mirror is 404 `unknown_origin`',
    await ask(`/mirror/${'0'.repeat(64)}/checkpoint`),
  );
}

/** Proves itself, and is named by its hash. */
export async function checkEvidence({ findings, ask }: Checked) {
  const list = await ask('/api/mesh/evidence');
  const data = list.json?.data;
  findings.note(
    'B8.2 GET /api/mesh/evidence lists what it has',
    Array.isArray(data) ? null : `${said(list)}, no list`,
  );
  if (!Array.isArray(data)) return;
  for (const item of data.slice(0, MOST)) {
    const hash = readString(readObject(item)?.sha256) ?? '';
    if (!/^[0-9a-f]{64}$/.test(hash)) {
      findings.note('B8.2 evidence is named by its hash', 'a bad name');
      continue;
    }
    const answer = await ask(`/api/mesh/evidence/${hash}`);
    findings.note(
      `B8.2 evidence ${hash.slice(0, 8)} proves itself`,
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
