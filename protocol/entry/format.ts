import { toBase64 } from '../bytes.js';
import { hashOrDash, writeFields } from '../fields.js';
import type { Entry } from './types.js';

export const ENTRY_HEADER = 'reserve-board/entry/v1';

type Fields = readonly (readonly [string, string | number | undefined])[];

function fieldsOf(entry: Entry): Fields {
  switch (entry.type) {
    case 'board':
    case 'anchor':
      return [];
    case 'key':
      return [
        ['agent', entry.agent],
        ['seq', entry.seq],
      ];
    case 'post':
      return [
        ['id', entry.id],
        ['root', entry.root],
        ['via', entry.via ?? '-'],
        ['vote-result', entry.voteResult],
        ['poll', entry.poll],
      ];
    case 'remove':
      return [
        ['id', entry.id],
        ['target', toBase64(entry.target)],
        ['by', entry.by],
        ['reason', entry.reason],
        ['explain', hashOrDash(entry.explain)],
      ];
    case 'decision':
      return [
        ['id', entry.id],
        ['target', toBase64(entry.target)],
        ['action', entry.action],
        ['explain', hashOrDash(entry.explain)],
      ];
    case 'poll':
      return [
        ['id', entry.id],
        ['poll', entry.poll],
        ['counts', entry.counts.join(',')],
        ['voters', entry.voters],
        ['result', entry.result],
        ['winner', entry.winner ?? '-'],
      ];
    case 'evidence':
      return [
        ['origin', entry.origin],
        ['kind', entry.kind],
        ['evidence', toBase64(entry.evidence)],
      ];
  }
}

/** Embedded texts MUST have the form that `parseEntry` demands. */
export function formatEntry(entry: Entry): string {
  const head = writeFields(ENTRY_HEADER, [
    ['type', entry.type],
    ['at', entry.at],
    ...fieldsOf(entry),
  ]);
  return 'embedded' in entry ? `${head}\n${entry.embedded}` : head;
}
