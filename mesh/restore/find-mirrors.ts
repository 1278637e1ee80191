import { openCheckpoint } from '../../protocol/checkpoint.js';
import type { Vkey } from '../../protocol/vkey.js';
import { BoardError } from '../../server/errors.js';
import { originOfUrl } from '../pull/fetch/peer-address.js';
import { mirrorPrefix } from '../pull/store/mirror-sources.js';
import type { OwnMirror, RestoreParts } from './restore-parts.js';

type Parts = Pick<RestoreParts, 'client' | 'signal'>;

/** A mirror of a log, and the key by which its pages are verified. */
export type SeenMirror = OwnMirror & { vkey: Vkey };

/**
 * The mirrors of our own log at these addresses, the longest first; those
 * that do not answer, or show nothing that our key signed, are left out.
 */
export async function findMirrors(
  parts: RestoreParts,
  urls: readonly string[],
): Promise<OwnMirror[]> {
  const { vkey } = parts.keys.log;
  const mirrors = await lookForMirrors(parts, vkey, urls);
  if (mirrors.length > 0) return mirrors;
  throw new BoardError(
    'origin_unreachable',
    `None of ${urls.length} boards shows a mirror of ${vkey.name} under this board's own signature; name others with --from.`,
  );
}

/** The same for any log by its vkey, and where there is none an empty list. */
export async function lookForMirrors(
  parts: Parts,
  vkey: Vkey,
  urls: readonly string[],
): Promise<SeenMirror[]> {
  const found = await Promise.all(urls.map((url) => look(parts, vkey, url)));
  const mirrors = found.filter((mirror) => mirror !== null);
  return mirrors.sort((a, b) => b.size - a.size);
}

async function look(
  { client, signal }: Parts,
  vkey: Vkey,
  url: string,
): Promise<SeenMirror | null> {
  const baseUrl = originOfUrl(url);
  if (baseUrl === null) return null;
  const prefix = mirrorPrefix(vkey.name);
  const call = { signal, maxWireBytes: 16_384, maxInflatedBytes: 16_384 };
  const answer = await client.get(baseUrl, `${prefix}/checkpoint`, call);
  if (!answer.ok || answer.value.status !== 200) return null;
  const opened = openCheckpoint(answer.value.body.toString('utf8'), vkey);
  if (!opened.ok) return null;
  const { size, root } = opened.value;
  return { source: { baseUrl, prefix }, size, root, vkey };
}
