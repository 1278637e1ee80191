import { addressOf, boardAddress } from '../../protocol/address.js';
import { MESH_PROTOCOL, speaksOther } from '../../protocol/feed-page.js';
import { openIdentity } from '../../protocol/identity.js';
import { readObject, readString } from '../../protocol/json.js';
import { BoardError, invalid } from '../../server/errors.js';
import { faultText } from '../peer-port.js';
import { jsonOf } from '../pull/fetch/fetch-page.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { readLevel } from './levels.js';

/** With many peers; a note is at most 16 KiB. */
export const DOCUMENT_BYTES = 262_144;

/** `document`: `/api/mesh`; all but the identity is advisory. */
export type Introduced = Awaited<ReturnType<typeof fetchIdentity>>;

/**
 * MUST name the address that was asked.
 * @throws BoardError `invalid_input`, `origin_unreachable`, `bad_note`,
 *   `signature_invalid`, `weak_key`, `unsupported_protocol`
 */
export async function fetchIdentity(client: PeerClient, url: string) {
  const base = boardAddress(url);
  if (base === null) {
    throw invalid(
      'url',
      'The URL of a board is http(s)://host[:port] without a path or query.',
    );
  }
  const answer = await client.get(base, '/api/mesh', {
    maxBytes: DOCUMENT_BYTES,
  });
  if (!answer.ok) throw notReached(base, answer.reason);
  const { status, body } = answer.value;
  if (status !== 200) throw notReached(base, `http_${status}`);
  const document = body.toString('utf8');
  const json = readObject(jsonOf(body));
  if (speaksOther(json)) {
    throw new BoardError(
      'unsupported_protocol',
      `The board at ${base} does not speak ${MESH_PROTOCOL}; its software or this one is of another release.`,
    );
  }
  const note = readString(json?.identity);
  if (note === null) throw notReached(base, 'no_document');
  const opened = openIdentity(note);
  if (!opened.ok) throw badIdentity(base, opened.reason);
  const identity = opened.value;
  const level = readLevel(json?.level);
  const isHere = addressOf(identity.url) === base;
  if (isHere) return { identity, note, document, level };
  throw invalid(
    'url',
    `The board at ${base} says that its address is ${identity.url}; add it by that address.`,
  );
}

export const ONLY_PUBLIC =
  'only https to public addresses; MESH_ALLOW_HTTP and MESH_ALLOW_PRIVATE are for meshes on one machine or network';

function notReached(base: string, why: string): BoardError {
  const hint =
    why === 'bad_url' || why === 'address_refused' ? ` (${ONLY_PUBLIC})` : '';
  return new BoardError(
    'origin_unreachable',
    `The board at ${base} could not be asked: ${faultText(why)}${hint}.`,
    { retry_after_seconds: 30 },
  );
}

function badIdentity(base: string, reason: string): BoardError {
  const isSaid =
    reason === 'weak_key' ||
    reason === 'bad_note' ||
    reason === 'bad_statement';
  const code = isSaid ? reason : 'signature_invalid';
  return new BoardError(
    code,
    `The identity of the board at ${base} does not stand: ${reason}.`,
  );
}
