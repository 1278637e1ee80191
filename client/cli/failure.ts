import path from 'node:path';

/** One sentence that says what to do. */
export class AgentFailure extends Error {
  override readonly name: string = 'AgentFailure';

  constructor(
    message: string,
    /** For programs. */
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

export function usageLine({ message }: Error): string {
  const sentence = message.replace(/^error: /, '').replaceAll('\n', ' ');
  return `${sentence} (add --help for the options)`;
}

/** For sentences that name another command. */
export function ownCommand(): string {
  const file = path.basename(process.argv[1] ?? '');
  return file.endsWith('.mjs') ? `node ${file}` : 'reserve-board';
}
