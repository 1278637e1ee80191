import { z } from 'zod';
import { equalBytes } from '../../protocol/bytes.js';
import {
  openCheckpoint,
  parseCheckpoint,
  verifyCosignature,
} from '../../protocol/checkpoint.js';
import {
  formatNote,
  parseSignatureLine,
  signatureLine,
} from '../../protocol/note.js';
import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import { LogCheckpoint } from '../../server/db/entities/log.js';
import { Peer } from '../../server/db/entities/peer.js';
import { PULLABLE } from '../../server/db/pullable.js';
import { BoardError } from '../../server/errors.js';
import { notBlank } from '../../server/http/body/validate.js';
import { OWN_LOG } from '../../server/ledger/own-log.sql.js';
import type { WitnessParts } from './known-logs.js';
import { suspectOurKey } from './own-log-conflict.js';
import { storeCosignature } from './witness.sql.js';

const line = notBlank(z.string().min(1).max(400));

/** Our checkpoint, our log's line, the peer's. */
export const cosignRequest = z.strictObject({
  body: notBlank(z.string().min(1).max(500))
    .describe('The three lines of the checkpoint, final LF included.')
    .meta({ examples: ['board-a.example/log\n11\nLfC6…\n'] }),
  log: line
    .describe("The log's signature line.")
    .meta({ examples: ['— board-a.example/log yZIB34d+…'] }),
  cosignature: line
    .describe("The sender's mirror line over that checkpoint.")
    .meta({ examples: ['— board-b.example/mirror ffBHHwAA…'] }),
});
export type CosignRequest = z.infer<typeof cosignRequest>;

/**
 * Of a stored checkpoint, by an active peer (spec/mesh.md §B7); a new one ends
 * its back-off. A body that our key signed and this board did not raises
 * `own_key_compromise`.
 * @throws BoardError 400 `bad_note`, 403 `peer_not_allowed`,
 *   `signature_invalid`, 404 `unknown_origin`, `not_found`
 */
export async function takeCosignature(
  parts: Pick<WitnessParts, 'writes' | 'keys' | 'clock' | 'log' | 'board'>,
  request: CosignRequest,
): Promise<void> {
  const { writes, keys, clock } = parts;
  const parsed = parseCheckpoint(request.body);
  if (!parsed.ok) {
    throw new BoardError(
      'bad_note',
      '`body` must be the three lines of a checkpoint, each ended by LF.',
      { field: 'body' },
    );
  }
  if (parsed.value.origin !== keys.log.vkey.name) {
    throw new BoardError(
      'unknown_origin',
      `Only cosignatures of ${parts.board.origin} are taken here.`,
    );
  }
  const head = ownHeadIn(request, keys.log.vkey);
  const { size } = parsed.value;
  const at = { originId: OWN_LOG, size };
  const known = await writes.manager.findOneBy(LogCheckpoint, at);
  const stored = known !== null && equalBytes(known.root, parsed.value.root);
  if (head !== null && !stored) await suspectOurKey(parts, head);
  const line = readLine(request.cosignature);
  if (line === null) throw badLine();
  // By the line's mirror key.
  const peer = await writes.manager.findOne(Peer, {
    select: { originId: true, mirrorVkey: true },
    where: { name: line.name.replace(/\/mirror$/, ''), ...PULLABLE },
  });
  if (peer === null) {
    throw new BoardError(
      'peer_not_allowed',
      'The cosignature names no active peer of this board.',
    );
  }
  if (known === null) throw neverStored(size);
  const vkey = parseVkey(peer.mirrorVkey);
  const cosigned =
    vkey.ok && verifyCosignature(request.body, line, vkey.value).ok;
  if (head === null || !cosigned) throw badLine();
  if (!stored) throw neverStored(size);
  const by = { cosigner: line.name, vkey: peer.mirrorVkey };
  const cosignature = { ...by, line: signatureLine(line), at: clock.now() };
  const kept = { originId: OWN_LOG, size, ...cosignature };
  await storeCosignature(writes, kept, peer.originId);
}

/** The LF is optional. */
function readLine(text: string) {
  return parseSignatureLine(text.endsWith('\n') ? text : `${text}\n`);
}

/** Null unless our log key signed it. */
function ownHeadIn({ body, log }: CosignRequest, logVkey: Vkey) {
  const signature = readLine(log);
  if (signature === null) return null;
  const note = formatNote({ text: body, signatures: [signature] });
  const opened = openCheckpoint(note, logVkey);
  return opened.ok ? { ...opened.value, note } : null;
}

function badLine(): BoardError {
  return new BoardError(
    'signature_invalid',
    "The log's line or the cosignature does not verify over this body.",
  );
}

function neverStored(size: number): BoardError {
  return new BoardError(
    'not_found',
    `This board has stored no such checkpoint of ${size} entries.`,
  );
}
