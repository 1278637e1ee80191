import { createHash } from 'node:crypto';

export type Record = {
  kind: string;
  head: { [key: string]: unknown };
  body: Buffer;
};
export type ParsedExport = {
  records: Record[];
  end: { messages: number; bytes: number; sha256: string };
  bytesBefore: number;
  hashBefore: string;
};

/** By spec/board.md §2.11, sharing no code with the board. */
export function parseExport(all: Buffer): ParsedExport {
  const records: Record[] = [];
  let at = 0;
  for (;;) {
    const start = at;
    const lf = all.indexOf(0x0a, at);
    if (lf < 0) throw new Error('no END');
    const line = all.subarray(at, lf).toString('utf8');
    at = lf + 1;
    const space = line.indexOf(' ');
    const kind = line.slice(0, space);
    const head = JSON.parse(line.slice(space + 1));
    if (kind === 'END') {
      if (at !== all.length) throw new Error('bytes after END');
      const before = all.subarray(0, start);
      const hashBefore = createHash('sha256').update(before).digest('hex');
      return { records, end: head, bytesBefore: before.length, hashBefore };
    }
    const length = kind === 'MESSAGE' ? head.body_bytes : -1;
    const body = all.subarray(at, at + Math.max(length, 0));
    at += length + 1;
    if (length >= 0 && all[at - 1] !== 0x0a)
      throw new Error('no LF after body');
    records.push({ kind, head, body });
  }
}
