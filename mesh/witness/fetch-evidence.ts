import { createHash } from 'node:crypto';
import { readList, readObject, readString } from '../../protocol/json.js';
import { EVIDENCE_BYTES } from '../../protocol/limits.js';
import { jsonOf } from '../pull/fetch/fetch-page.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { keepEvidence } from './keep-evidence.js';
import type { KnownLog, WitnessParts } from './known-logs.js';

const LIST_BYTES = 262_144;
const LIST_MAX = 1000;
const AT_ONCE = 16;
const SEEN_MAX = 10_000;
/** A retry does not help. */
const FINAL = new Set(['too_large', 'bad_encoding', 'redirected']);
const HASH = /^[0-9a-f]{64}$/;

type Item = { sha256: string; origin: string };

function readItem(value: unknown): Item | null {
  const json = readObject(value);
  const sha256 = readString(json?.sha256) ?? '';
  const origin = readString(json?.origin) ?? '';
  return HASH.test(sha256) ? { sha256, origin } : { sha256: '', origin: '' };
}

/**
 * New evidence about our active peers (spec/mesh.md §B8). `seen`: hashes that
 * were looked at. False: some is left for the next round.
 */
export async function fetchEvidence(
  parts: WitnessParts,
  baseUrl: string,
  logs: ReadonlyMap<string, KnownLog>,
  seen: Set<string>,
): Promise<boolean> {
  const { client, stopping } = parts;
  const list = await client.get(baseUrl, '/api/mesh/evidence', {
    signal: stopping,
    maxBytes: LIST_BYTES,
  });
  if (!list.ok || list.value.status !== 200) return false;
  const { data } = readObject(jsonOf(list.value.body)) ?? {};
  const due = (readList(data, LIST_MAX, readItem) ?? []).filter(
    ({ sha256, origin }) => logs.has(origin) && !seen.has(sha256),
  );
  let looked = 0;
  for (const { sha256 } of due.slice(0, AT_ONCE)) {
    const answer = await client.get(baseUrl, `/api/mesh/evidence/${sha256}`, {
      signal: stopping,
      maxBytes: EVIDENCE_BYTES,
    });
    if (isLater(answer)) continue;
    looked += 1;
    if (seen.size >= SEEN_MAX) seen.clear();
    seen.add(sha256);
    if (!answer.ok || answer.value.status !== 200) continue;
    const { body } = answer.value;
    const named = createHash('sha256').update(body).digest('hex') === sha256;
    if (named) await keepEvidence(parts, body);
  }
  return looked === due.length;
}

/** No final answer. */
function isLater(answer: Awaited<ReturnType<PeerClient['get']>>): boolean {
  if (!answer.ok) return !FINAL.has(answer.reason);
  return answer.value.status === 429 || answer.value.status >= 500;
}
