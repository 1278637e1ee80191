/** One clear sentence for the operator; shown as it is, without a stack. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}

/** The folder of a database in use was deleted, or holds another one now. */
export class ClusterGone extends EmbeddedDatabaseError {
  constructor(clusterDir: string) {
    super(
      `The database that this node began with is not in ${clusterDir} any more: stop the node, put the folder back or restore a backup, and start it again.`,
    );
  }
}

/** The code of a system error (`ENOENT`) or of PostgreSQL (`57P03`). */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** One word for a POSIX shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
