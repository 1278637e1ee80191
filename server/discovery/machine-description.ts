import { createHash } from 'node:crypto';
import { JSON_TYPE } from '../http/conditional.js';

/** `/openapi.json` as it is served: made once, hashed, pinned by clients. */
export type MachineDescription = {
  url: string;
  type: string;
  bytes: Buffer;
  /** Hexadecimal, of exactly the bytes served. */
  sha256: string;
};

/** Serialises the document and hashes what it gives. */
export function machineDescription(
  baseUrl: string,
  document: object,
): MachineDescription {
  const bytes = Buffer.from(JSON.stringify(document), 'utf8');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { url: `${baseUrl}/openapi.json`, type: JSON_TYPE, bytes, sha256 };
}
