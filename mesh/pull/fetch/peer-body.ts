import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { accepted, refused, type Verdict } from '../../../protocol/verdict.js';

export type BodyFault = 'bad_encoding' | 'too_large';
type BodyCaps = { wireBytes: number; inflatedBytes: number };

const unzip = promisify(gunzip);
/** Fewer packed bytes are unpacked at once, without zlib's thread. */
const SMALL_BYTES = 4096;
const SMALL_INFLATED = 65_536;
/** Bytes of a gzip of nothing. */
const LEAST_GZIP = 18;
const LEAST_CHUNK = 262_144;
/** As zlib says it. */
const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE';

/**
 * Reads an answer's body within its caps. What is too large or wrongly packed
 * is refused before more of it is read, and its socket is closed.
 */
export async function readBody(
  answer: Dispatcher.ResponseData,
  caps: BodyCaps,
): Promise<Verdict<Buffer, BodyFault>> {
  const { 'content-encoding': encoding = 'identity' } = answer.headers;
  const isPacked = encoding === 'gzip';
  // None or one layer of gzip; nothing else was requested.
  const isKnown = isPacked || encoding === 'identity';
  const announced = Number(answer.headers['content-length'] ?? 0);
  if (!isKnown || announced > caps.wireBytes) {
    answer.body.destroy();
    return refused(isKnown ? 'too_large' : 'bad_encoding');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > caps.wireBytes) return refused('too_large');
    chunks.push(chunk);
  }
  const wire = Buffer.concat(chunks, size);
  if (!isPacked) return accepted(wire);
  try {
    return accepted(unzipSmall(wire, caps) ?? (await unzipped(wire, caps)));
  } catch (error) {
    const large = (error as { code?: string }).code === TOO_LARGE;
    return refused(large ? 'too_large' : 'bad_encoding');
  }
}

/**
 * The end of the gzip states its size (RFC 1952, ISIZE): one that states too
 * much is refused at once, and the memory is allocated once. A false size is
 * found at the cap, or by what was unpacked.
 */
async function unzipped(wire: Buffer, caps: BodyCaps): Promise<Buffer> {
  const { inflatedBytes: maxOutputLength } = caps;
  const said =
    wire.length < LEAST_GZIP ? 0 : wire.readUInt32LE(wire.length - 4);
  if (said > maxOutputLength) {
    const why = new Error('more than may be unpacked');
    throw Object.assign(why, { code: TOO_LARGE });
  }
  const chunkSize = Math.max(said, LEAST_CHUNK);
  return await unzip(wire, { chunkSize, maxOutputLength });
}

/** Null of what is large, packed or unpacked, or no gzip at all. */
function unzipSmall(wire: Buffer, { inflatedBytes }: BodyCaps): Buffer | null {
  if (wire.length > SMALL_BYTES) return null;
  const maxOutputLength = Math.min(SMALL_INFLATED, inflatedBytes);
  try {
    return gunzipSync(wire, { maxOutputLength });
  } catch {
    return null;
  }
}
