import { inertJson } from './inert.js';
import { say, type Written } from './standard-output.js';

/** One JSON line for programs, or the text for people. */
export function print(
  json: boolean | undefined,
  value: Readonly<Record<string, unknown>>,
  text: string,
  written: Written = value,
): void {
  // A board's answer does not say whether the command succeeded.
  const { ok: _, ...said } = value;
  const line = json ? inertJson({ ok: true, ...said }) : text;
  say(`${line}\n`, written);
}
