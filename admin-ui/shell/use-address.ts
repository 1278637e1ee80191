import { useLocation, useNavigate } from '@tanstack/react-router';

export type Search = Readonly<Record<string, string | undefined>>;

export function useAddress(): {
  search: Search;
  change: (some: Search) => void;
} {
  const { search } = useLocation();
  const go = useNavigate();
  const change = (some: Search) => {
    void go({
      to: '.',
      replace: true,
      search: ((before: Search) => ({ ...before, ...some })) as never,
    });
  };
  return { search: search as Search, change };
}

/** `name=value` pairs; empty values are left out. */
export function queryOf(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(pairs).toString();
}

/** Unknown words count as none. */
export function oneOf<T extends string>(
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  return allowed.find((it) => it === value);
}

export function wholeNumber(value: string | undefined): number | undefined {
  return /^[1-9]\d{0,14}$/.test(value ?? '') ? Number(value) : undefined;
}
