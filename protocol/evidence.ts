import { equalBytes, fromUtf8, sha256, toBase64, utf8 } from './bytes.js';
import { openCheckpoint } from './checkpoint.js';
import { verifyConsistency } from './consistency.js';
import {
  parseJson,
  readHashText,
  readList,
  readObject,
  readString,
} from './json.js';
import { EVIDENCE_BYTES, PROOF_HASHES } from './limits.js';
import { accepted, refused, type Verdict } from './verdict.js';
import { ED25519, parseVkey } from './vkey.js';

/**
 * One log key signed two histories (spec/mesh.md §B8). `first` and `second` are
 * checkpoint notes; different sizes need the root that `second` implies for
 * `first`'s size, and its proof.
 */
export type Evidence = {
  origin: string;
  logVkey: string;
  first: string;
  second: string;
  prefix?: { root: Uint8Array; consistency: Uint8Array[] };
};

const FORMAT = 'reserve-board/evidence/v1';
export const EQUIVOCATION = 'equivocation';
const KEYS =
  'format kind origin log_vkey first second prefix_root consistency'.split(' ');

/** These bytes are hashed, logged and served. */
export function formatEvidence(evidence: Evidence): string {
  const { prefix } = evidence;
  return JSON.stringify({
    format: FORMAT,
    kind: EQUIVOCATION,
    origin: evidence.origin,
    log_vkey: evidence.logVkey,
    first: evidence.first,
    second: evidence.second,
    ...(prefix === undefined
      ? {}
      : {
          prefix_root: toBase64(prefix.root),
          consistency: prefix.consistency.map(toBase64),
        }),
  });
}

/** Names the evidence. */
export function evidenceHash(text: string): Uint8Array {
  return sha256(utf8(text));
}

/** At most 16 KiB, any JSON spelling. Proves nothing until `verifyEvidence`. */
export function parseEvidence(
  bytes: Uint8Array,
): Verdict<Evidence, 'bad_evidence'> {
  if (bytes.length > EVIDENCE_BYTES) return refused('bad_evidence');
  const json = readObject(parseJson(fromUtf8(bytes)), KEYS);
  if (json?.format !== FORMAT || json.kind !== EQUIVOCATION) {
    return refused('bad_evidence');
  }
  const origin = readString(json.origin);
  const logVkey = readString(json.log_vkey);
  const first = readString(json.first);
  const second = readString(json.second);
  if (origin === null || logVkey === null) return refused('bad_evidence');
  if (first === null || second === null) return refused('bad_evidence');
  const evidence = { origin, logVkey, first, second };
  if (json.prefix_root === undefined && json.consistency === undefined) {
    return accepted(evidence);
  }
  const root = readHashText(json.prefix_root);
  const consistency = readList(json.consistency, PROOF_HASHES, readHashText);
  if (root === null || consistency === null) return refused('bad_evidence');
  return accepted({ ...evidence, prefix: { root, consistency } });
}

/**
 * spec/mesh.md §B8: the origin's key signed both, and sizes are equal with
 * different roots, or the second tree begins with another root. The caller MUST
 * compare the key with the pinned one.
 */
export function verifyEvidence(evidence: Evidence): boolean {
  const vkey = parseVkey(evidence.logVkey);
  if (!vkey.ok || vkey.value.type !== ED25519) return false;
  if (vkey.value.name !== evidence.origin) return false;
  const opened = openCheckpoint(evidence.first, vkey.value);
  const reopened = openCheckpoint(evidence.second, vkey.value);
  if (!opened.ok || !reopened.ok) return false;
  const first = opened.value;
  const second = reopened.value;
  const { prefix } = evidence;
  if (first.size === second.size) {
    return prefix === undefined && !equalBytes(first.root, second.root);
  }
  if (prefix === undefined || equalBytes(prefix.root, first.root)) return false;
  return verifyConsistency(
    first.size,
    second.size,
    prefix.root,
    second.root,
    prefix.consistency,
  );
}
