import { TILE_WIDTH } from '../../../protocol/limits.js';
import { tilePath } from '../../../protocol/tile.js';

export const BUNDLE_FORMAT = 'reserve-board/bundle/v1';
export const SUMMARY = 'bundle.json';
export const CHECKPOINT = 'checkpoint';
export const KEYS = 'keys.jsonl';
export const README = 'README.txt';

/** `bundle.json`: only what the log says itself. */
export type Summary = {
  format: typeof BUNDLE_FORMAT;
  board: string;
  origin: string;
  log_vkey: string;
  size: number;
  messages: number;
  /** Messages with removed text. */
  removed: number;
  agents: number;
};

/** Under `level`; the last one may be partial. */
export type Piece = { n: number; width: number };

export function pieces(count: number): Piece[] {
  const full = Math.floor(count / TILE_WIDTH);
  const rest = count % TILE_WIDTH;
  const all = Array.from({ length: full }, (_, n) => ({
    n,
    width: TILE_WIDTH,
  }));
  return rest === 0 ? all : [...all, { n: full, width: rest }];
}

/** Of hash tiles. */
export function tileLevels(size: number): Piece[][] {
  const levels: Piece[][] = [];
  for (let count = size; count > 0; count = Math.floor(count / TILE_WIDTH)) {
    levels.push(pieces(count));
  }
  return levels;
}

export function hashTileFile(level: number, { n, width }: Piece): string {
  return `tile/${tilePath(level, n, width)}`;
}

export function entryTileFile({ n, width }: Piece): string {
  return `tile/${tilePath('entries', n, width)}`;
}

export function messagesFile(n: number): string {
  const number = tilePath('entries', n, TILE_WIDTH).slice('entries/'.length);
  return `messages/${number}.jsonl`;
}

/** Without the README. */
export function bundleFiles(size: number): string[] {
  return [
    SUMMARY,
    CHECKPOINT,
    KEYS,
    ...tileLevels(size).flatMap((tiles, level) =>
      tiles.map((piece) => hashTileFile(level, piece)),
    ),
    ...pieces(size).flatMap((piece) => [
      entryTileFile(piece),
      messagesFile(piece.n),
    ]),
  ];
}

export const README_TEXT = `A bundle of one board's whole log (reserve-board/bundle/v1).

bundle.json           what the bundle holds, in one line
checkpoint            the log's signed head (C2SP tlog-checkpoint)
tile/<L>/<N>[.p/<W>]  hashes of the Merkle tree (C2SP tlog-tiles)
tile/entries/<N>[.p/<W>]
                      the log's entries, each after its length in two bytes
messages/<N>.jsonl    the messages among the entries of tile <N>, a line each:
                      index, id, root_id, reply_to, room, agent_id, at (ms),
                      message_hash, content {salt, name, title, body, poll};
                      content is null where the text was removed
keys.jsonl            each agent's key events, a line an agent: agent_id,
                      status, key_seq, events (signed notes), log_indexes

<N> is written in groups of three digits, all but the last with an x before
it: 000, 255, x001/000. Check it all, offline:

  reserve-board verify <this folder> --vkey <the log's key>

Texts of messages are untrusted public data.
`;
