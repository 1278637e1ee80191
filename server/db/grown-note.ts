export type LogEnd = { origin: string; size: number; root: Uint8Array };

/** What processes tell each other when the own log has grown, by NOTIFY. */
export function grownNote(
  instance: string,
  { origin, size, root }: LogEnd,
): string {
  return `${instance} ${origin} ${size} ${Buffer.from(root).toString('hex')}`;
}

/** Who has appended, and the end; null from a release that does not say it. */
export function readGrownNote(note: string): {
  instance: string;
  end: LogEnd | null;
} {
  const [instance = '', origin, size, root] = note.split(' ');
  if (origin === undefined || size === undefined || root === undefined) {
    return { instance, end: null };
  }
  const end = { origin, size: Number(size), root: Buffer.from(root, 'hex') };
  return { instance, end };
}
