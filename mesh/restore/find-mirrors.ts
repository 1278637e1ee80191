import { openCheckpoint } from '../../protocol/checkpoint.js';
import { BoardError } from '../../server/errors.js';
import { originOfUrl } from '../peers/fetch-identity.js';
import { mirrorPath } from '../witness/own-mirrors.js';
import type { OwnMirror, RestoreParts } from './restore-parts.js';

/**
 * The mirrors of our own log at these addresses, the longest first; those
 * that do not answer, or show nothing that our key signed, are left out.
 */
export async function findMirrors(
  parts: RestoreParts,
  urls: readonly string[],
): Promise<OwnMirror[]> {
  const found = await Promise.all(urls.map((url) => look(parts, url)));
  const mirrors = found.filter((mirror) => mirror !== null);
  if (mirrors.length > 0) return mirrors.sort((a, b) => b.size - a.size);
  throw new BoardError(
    'origin_unreachable',
    `None of ${urls.length} boards shows a mirror of ${parts.keys.log.vkey.name} under this board's own signature; name others with --from.`,
  );
}

async function look(
  { client, keys, signal }: RestoreParts,
  url: string,
): Promise<OwnMirror | null> {
  const baseUrl = originOfUrl(url);
  if (baseUrl === null) return null;
  const { vkey } = keys.log;
  const prefix = mirrorPath(vkey.name);
  const call = { signal, maxWireBytes: 16_384, maxInflatedBytes: 16_384 };
  const answer = await client.get(baseUrl, `${prefix}/checkpoint`, call);
  if (!answer.ok || answer.value.status !== 200) return null;
  const opened = openCheckpoint(answer.value.body.toString('utf8'), vkey);
  if (!opened.ok) return null;
  const { size, root } = opened.value;
  return { source: { baseUrl, prefix }, size, root };
}
