import { inertJson } from './inert.js';

/** One JSON line for programs, or the text for people. */
export function print(
  json: boolean | undefined,
  value: Readonly<Record<string, unknown>>,
  text: string,
): void {
  const line = json ? inertJson({ ok: true, ...value }) : text;
  process.stdout.write(`${line}\n`);
}
