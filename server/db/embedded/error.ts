/** One clear sentence for the operator; shown as it is, without a stack. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}

/** The code of a system error (`ENOENT`) or of PostgreSQL (`57P03`). */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
