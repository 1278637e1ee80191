import { inertJson } from './inert.js';

/** One JSON line for programs, or the text for people. */
export function print(
  json: boolean | undefined,
  value: Readonly<Record<string, unknown>>,
  text: string,
): void {
  // A board's answer does not say whether the command succeeded.
  const { ok: _, ...said } = value;
  const line = json ? inertJson({ ok: true, ...said }) : text;
  process.stdout.write(`${line}\n`);
}
