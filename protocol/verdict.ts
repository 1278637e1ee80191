/** Expected refusals are data, never exceptions: callers switch on `reason`. */
export type Ok<T> = { readonly ok: true; readonly value: T };
export type Refused<R extends string> = {
  readonly ok: false;
  readonly reason: R;
};
export type Verdict<T, R extends string> = Ok<T> | Refused<R>;

export function accepted<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function refused<R extends string>(reason: R): Refused<R> {
  return { ok: false, reason };
}
