import { z } from 'zod';
import {
  openCheckpoint,
  verifyCosignature,
} from '../../protocol/checkpoint.js';
import { formatNote, parseSignatureLine } from '../../protocol/note.js';
import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import { notBlank } from '../../server/http/body/validate.js';

const line = notBlank(z.string().min(1).max(400));

/** `POST /api/mesh/cosign`: our checkpoint, our log's line, the peer's. */
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

/** A signature line with or without its LF. */
export function readLine(text: string) {
  return parseSignatureLine(text.endsWith('\n') ? text : `${text}\n`);
}

/** The body under our own log's valid signature, or null. */
export function ownHeadIn({ body, log }: CosignRequest, logVkey: Vkey) {
  const signature = readLine(log);
  if (signature === null) return null;
  const note = formatNote({ text: body, signatures: [signature] });
  const opened = openCheckpoint(note, logVkey);
  return opened.ok ? { ...opened.value, note } : null;
}

/** The time of a peer's valid cosignature over the body, in s, or null. */
export function cosignedAt(
  { body, cosignature }: CosignRequest,
  mirrorVkey: string,
): number | null {
  const signature = readLine(cosignature);
  const vkey = parseVkey(mirrorVkey);
  if (signature === null || !vkey.ok) return null;
  const verified = verifyCosignature(body, signature, vkey.value);
  return verified.ok ? verified.value.time : null;
}
