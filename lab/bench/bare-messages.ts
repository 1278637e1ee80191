import type { SourceEntry } from '../../client/export/bundle-source.js';
import { fromUtf8, utf8 } from '../../protocol/bytes.js';
import { formatContentBlock } from '../../protocol/content.js';
import { parseEntry, readKeyNote, readPost } from '../../protocol/entry.js';
import type { BareMessage } from './bare-work.js';

/** What checking these entries costs at least, message by message. */
export function bareMessages(entries: readonly SourceEntry[]): BareMessage[] {
  const keys = new Map<string, Uint8Array>();
  return entries.flatMap(({ leaf, content }) => {
    const entry = parseEntry(fromUtf8(leaf) ?? '');
    if (!entry.ok) throw new Error('a bad entry');
    if (entry.value.type === 'key') {
      const note = readKeyNote(entry.value.embedded);
      if (note.ok) keys.set(note.value.agent, note.value.event.key);
    }
    if (entry.value.type !== 'post' || content === null) return [];
    const post = readPost(entry.value.embedded);
    if (!post.ok || post.value.line === null) throw new Error('a bad post');
    const key = keys.get(post.value.statement.agent ?? '');
    if (key === undefined) throw new Error('a key of nobody');
    return {
      leaf,
      block: formatContentBlock(content),
      statement: utf8(post.value.text),
      signature: post.value.line.signature,
      key,
    };
  });
}

/** Processor seconds of this process, its threads included, since then. */
export function cpuSeconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
