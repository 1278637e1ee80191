/** What every command takes. */
export type JsonOption = { json?: boolean };

/** One JSON line for programs, or the text for people. */
export function print(json: boolean, value: object, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${text}\n`);
}
