import { inertJson } from './inert.js';
import { say, type Written } from './standard-output.js';

export function print(
  json: boolean | undefined,
  value: Readonly<Record<string, unknown>>,
  text: string,
  written: Written = value,
): void {
  // `ok` of a board's answer is not the command's.
  const { ok: _, ...said } = value;
  const line = json ? inertJson({ ok: true, ...said }) : text;
  say(`${line}\n`, written);
}
