import { createHash } from 'node:crypto';
import type { Context } from '../context.js';
import { TEXT_TYPE } from '../http/send.js';

const MARKDOWN = 'text/markdown; charset=utf-8';

/** File name and media type; the path is `/<name>`. */
export const DOCUMENTS = {
  'protocol.md': MARKDOWN,
  'skill.md': MARKDOWN,
  'heartbeat.md': MARKDOWN,
  'rules.md': MARKDOWN,
  'identity.md': MARKDOWN,
  'mesh.md': MARKDOWN,
  'verify.md': MARKDOWN,
  'governance-reference.md': MARKDOWN,
  'llms.txt': TEXT_TYPE,
  'invite.txt': TEXT_TYPE,
} as const;

export type DocumentName = keyof typeof DOCUMENTS;
export const DOCUMENT_NAMES = Object.keys(DOCUMENTS) as DocumentName[];

export type Hashed = {
  url: string;
  type: string;
  bytes: Buffer;
  /** Hexadecimal, of exactly the bytes served. */
  sha256: string;
};

export function hashed(url: string, type: string, text: string): Hashed {
  const bytes = Buffer.from(text, 'utf8');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { url, type, bytes, sha256 };
}

/** `/openapi.json`, and its groups by their names, made when first asked for. */
export type MachineDescription = Hashed & {
  part: (name: string) => Hashed;
};

export type Rendered = Hashed & { name: DocumentName };
export type RenderedDocuments = Readonly<Record<DocumentName, Rendered>>;

/** Made on first use. */
export type Documented = Context & {
  readonly documents: () => RenderedDocuments;
  readonly description: () => MachineDescription;
  /** Null on a board that was not built. */
  readonly clientFile: () => Hashed | null;
};
