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
