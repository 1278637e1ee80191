import { readList, readObject, readString } from '../../protocol/json.js';
import { jsonOf } from '../pull/fetch/fetch-page.js';
import { originOfUrl } from '../pull/fetch/peer-address.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';

const MOST_PEERS = 1000;

/** A log of ours as another board lists it among its peers. */
export type ListedLog = { origin: string; logVkey: string };

/** What a board says of ours among its peers; null where it says nothing. */
export async function listedAt(
  client: PeerClient,
  url: string,
  board: string,
  signal: AbortSignal,
): Promise<ListedLog | null> {
  const base = originOfUrl(url);
  if (base === null) return null;
  const answer = await client.get(base, '/api/mesh', { signal });
  if (!answer.ok || answer.value.status !== 200) return null;
  const document = readObject(jsonOf(answer.value.body));
  const peers = readList(document?.peers, MOST_PEERS, (value) => {
    const peer = readObject(value);
    const name = readString(peer?.name);
    const origin = readString(peer?.origin);
    const logVkey = readString(peer?.log_vkey);
    return name === null || origin === null || logVkey === null
      ? null
      : { name, origin, logVkey };
  });
  return peers?.find(({ name }) => name === board) ?? null;
}
