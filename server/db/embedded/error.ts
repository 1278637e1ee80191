/** One clear sentence, shown without a stack. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}

/** The data folder in use was deleted or replaced. */
export class ClusterGone extends EmbeddedDatabaseError {
  constructor(clusterDir: string) {
    super(
      `The database that this node began with is not in ${clusterDir} any more: stop the node, put the folder back or restore a backup, and start it again.`,
    );
  }
}

/** Quoted for a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
