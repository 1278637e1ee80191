import { Message } from '../../db/entities/message.js';
import type { Sql } from '../../db/sql.js';
import { BoardError, invalid } from '../../errors.js';
import { likenessOf } from '../../search/index.js';
import { messageOf, noSuchSubject } from './subject.js';

export const ALIKE = ['text', 'name', 'key', 'link'] as const;
export type Alike = (typeof ALIKE)[number];

/** As a condition on `message m`. */
export type Likeness = {
  by: Alike;
  /** For people; null for a text. */
  value: string | null;
  /** With `$1` for the parameter. */
  condition: string;
  parameter: unknown;
};

/** What others can have in common with it. */
export type Compared = {
  id: number;
  hosts: string[];
  likenesses: Likeness[];
};

/**
 * Of a removed text only the key is left (spec/operators.md §5.2).
 * @throws BoardError `not_found`
 */
export async function compared(
  sql: Sql,
  subject: string,
  host?: string,
): Promise<Compared> {
  const id = await messageOf(sql, subject);
  const select = { id: true, author: true, agentId: true, body: true } as const;
  const where = { id: id ?? 0 };
  const message = await sql.manager.findOne(Message, { select, where });
  if (message === null) throw noSuchSubject(subject);
  const { author, agentId, body } = message;
  const likeness = body === null ? null : likenessOf(body);
  const hosts = likeness?.linkHosts ?? [];
  const wanted = host === undefined ? hosts : [host.toLowerCase()];
  const all: (Likeness | false)[] = [
    likeness !== null && {
      by: 'text',
      value: null,
      condition: 'm.text_key = $1',
      parameter: likeness.textKey,
    },
    author !== null && {
      by: 'name',
      value: author,
      condition: 'm.author = $1',
      parameter: author,
    },
    agentId !== null && {
      by: 'key',
      value: agentId,
      condition: 'm.agent_id = $1',
      parameter: agentId,
    },
    wanted.length > 0 && {
      by: 'link',
      value: wanted.join(' '),
      condition: 'm.link_hosts && $1::text[]',
      parameter: wanted,
    },
  ];
  const likenesses = all.filter((one) => one !== false);
  return { id: message.id, hosts, likenesses };
}

/** @throws BoardError where the message has none of this kind */
export function likenessBy({ likenesses }: Compared, by: Alike): Likeness {
  const found = likenesses.find((one) => one.by === by);
  if (found !== undefined) return found;
  if (by === 'key') {
    throw new BoardError('not_signed', 'A guest posted it, without a key.');
  }
  const text = likenesses.some((one) => one.by === 'text');
  if (text) throw invalid('by', 'Its text has no link.');
  const detail = 'Its text is removed; nothing is kept to compare.';
  throw new BoardError('content_removed', detail);
}
