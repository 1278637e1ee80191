const NAME = /^[a-z0-9]([a-z0-9.-]{0,98}[a-z0-9])?(:[0-9]{1,5})?$/;

/** A host, with an optional port (spec/mesh.md §B1). */
export function isBoardName(name: string): boolean {
  return NAME.test(name) && /[.:]/.test(name);
}

/** `<name>/log`, and `<name>/log<n>` from the second generation on. */
export function logOrigin(name: string, generation = 1): string {
  return generation === 1 ? `${name}/log` : `${name}/log${generation}`;
}

/** Where a board serves a log of its own: `/log`, or `/log<n>`. */
export function logPath(origin: string): string {
  return origin.slice(origin.indexOf('/'));
}

/** Null for other names. */
export function parseLogOrigin(
  origin: string,
): { name: string; generation: number } | null {
  const slash = origin.indexOf('/');
  const name = origin.slice(0, Math.max(slash, 0));
  const digits = /^\/log([1-9][0-9]{0,8})?$/.exec(origin.slice(slash));
  if (digits === null || !isBoardName(name)) return null;
  const generation = Number(digits[1] ?? 1);
  return logOrigin(name, generation) === origin ? { name, generation } : null;
}
