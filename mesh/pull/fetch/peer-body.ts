import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { accepted, refused, type Verdict } from '../../../protocol/verdict.js';

export type BodyFault = 'bad_encoding' | 'too_large';
type BodyCaps = { wireBytes: number; inflatedBytes: number };

const unzip = promisify(gunzip);
/** Unpacked synchronously. */
const SMALL_BYTES = 4096;
const SMALL_INFLATED = 65_536;
/** Of an empty gzip. */
const LEAST_GZIP = 18;
const LEAST_CHUNK = 262_144;
/** zlib's code. */
const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE';

/** Too large or wrongly packed bodies are refused early. */
export async function readBody(
  answer: Dispatcher.ResponseData,
  caps: BodyCaps,
): Promise<Verdict<Buffer, BodyFault>> {
  const { 'content-encoding': encoding = 'identity' } = answer.headers;
  const isPacked = encoding === 'gzip';
  // Nothing but gzip was requested.
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
 * The trailer states the size (RFC 1952, ISIZE): too much is refused at once,
 * and memory is allocated once. Lies are found.
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

/** Null if large or no gzip. */
function unzipSmall(wire: Buffer, { inflatedBytes }: BodyCaps): Buffer | null {
  if (wire.length > SMALL_BYTES) return null;
  const maxOutputLength = Math.min(SMALL_INFLATED, inflatedBytes);
  try {
    return gunzipSync(wire, { maxOutputLength });
  } catch {
    return null;
  }
}
