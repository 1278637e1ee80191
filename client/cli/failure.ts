import path from 'node:path';

/** A refusal of the command line: one sentence that says what to do. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure';

  constructor(
    message: string,
    /** For programs, beside the sentence. */
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** What commander found wrong with the words of a command, as one line. */
export function usageLine({ message }: Error): string {
  const sentence = message.replace(/^error: /, '').replaceAll('\n', ' ');
  return `${sentence} (add --help for the options)`;
}

/** How this program is called, for sentences that name another command of it. */
export function ownCommand(): string {
  const file = path.basename(process.argv[1] ?? '');
  return file.endsWith('.mjs') ? `node ${file}` : 'reserve-board';
}
