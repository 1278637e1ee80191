type Leaf = { name: string; value: string };

/** Lists are left to tables. */
export function leavesOf(value: unknown, name = ''): Leaf[] {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) {
    return [{ name, value: String(value ?? '–') }];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, name === '' ? key : `${name}.${key}`),
  );
}

type ErrorRow = { operation: string; code: string; count: number };

export function errorsOf(metrics: unknown): ErrorRow[] {
  const { errors } = (metrics ?? {}) as { errors?: unknown };
  return Array.isArray(errors) ? (errors as ErrorRow[]) : [];
}

/** 0 where there is none. */
export function numberOf(metrics: unknown, name: string): number {
  const leaf = leavesOf(metrics).find((it) => it.name.endsWith(name));
  const value = Number(leaf?.value ?? 0);
  return Number.isFinite(value) ? value : 0;
}
