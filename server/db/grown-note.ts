export type LogEnd = { origin: string; size: number; root: Uint8Array };

/** The NOTIFY payload when the own log has grown. */
export function grownNote(
  instance: string,
  { origin, size, root }: LogEnd,
): string {
  return `${instance} ${origin} ${size} ${Buffer.from(root).toString('hex')}`;
}

/** `end` is null from releases that do not send it. */
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
