import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { logPath } from '../../protocol/board-name.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { AppContext } from '../context.js';
import { TEXT_TYPE } from '../http/conditional.js';
import { PACKAGE_ROOT } from '../http/release.js';
import { routeList } from './routes.js';
import { documentValues } from './values.js';

const FOLDER = path.join(PACKAGE_ROOT, 'server', 'api-docs', 'documents');
const MARKDOWN = 'text/markdown; charset=utf-8';

/** File name and media type; the path is `/<name>`. */
const DOCUMENTS = {
  'protocol.md': MARKDOWN,
  'skill.md': MARKDOWN,
  'rules.md': MARKDOWN,
  'identity.md': MARKDOWN,
  'governance-reference.md': MARKDOWN,
  'llms.txt': TEXT_TYPE,
  'invite.txt': TEXT_TYPE,
} as const;

export type DocumentName = keyof typeof DOCUMENTS;
export type Rendered = {
  name: DocumentName;
  url: string;
  type: string;
  bytes: Buffer;
  /** Hexadecimal, of exactly the bytes served. */
  sha256: string;
};
export type RenderedDocuments = Readonly<Record<DocumentName, Rendered>>;

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {{${name}}}`);
    return value;
  });
}

/** Renders every document once, with the configured address and limits. */
export function renderDocuments(
  ctx: Pick<AppContext, 'config' | 'limits' | 'keys' | 'board' | 'endpoints'>,
): RenderedDocuments {
  const logVkey = formatVkey(ctx.keys.log.vkey);
  const values = {
    ...documentValues(ctx.config, ctx.limits, logVkey),
    routes: routeList(ctx.endpoints, {
      limits: ctx.limits,
      baseUrl: ctx.config.baseUrl,
    }),
    board: ctx.board.name,
    log_url: `${ctx.config.baseUrl}${logPath(ctx.board.origin)}`,
  };
  const all = Object.entries(DOCUMENTS).map(([name, type]) => {
    const template = readFileSync(path.join(FOLDER, name), 'utf8');
    const bytes = Buffer.from(fill(template, values), 'utf8');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const url = `${ctx.config.baseUrl}/${name}`;
    return [name, { name, url, type, bytes, sha256 }];
  });
  return Object.fromEntries(all) as RenderedDocuments;
}
