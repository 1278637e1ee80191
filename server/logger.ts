import { pino } from 'pino';

/** The part of pino the code uses, so that tests can pass their own. */
export type Logger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** What is kept of a log that cannot be written; more is dropped. */
const KEPT_BYTES = 1_048_576;

/** In errors of the database: what a statement carried, or a row of a table. */
const ROWS = new Set(['parameters', 'query', 'driverError', 'detail', 'where']);

/** An error as it is logged, without texts of members that it may quote. */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const fields = Object.entries(pino.stdSerializers.err(error));
  return Object.fromEntries(fields.filter(([key]) => !ROWS.has(key)));
}

/**
 * JSON lines on standard output. No body, ticket, answer, address or seed is
 * ever passed in; the redaction below is the second fence. A volume without
 * room for them costs lines, not the board.
 */
export function createLogger(level: string): Logger {
  const lines = pino.destination({ fd: 1, sync: true, maxLength: KEPT_BYTES });
  lines.on('error', () => {});
  return pino(
    {
      level,
      base: null,
      serializers: { err: loggedError },
      redact: {
        paths: ['ticket', 'answer', 'cookie', 'ip', 'body', 'seed', '*.ticket'],
        censor: '[redacted]',
      },
    },
    lines,
  );
}

/** For command lines and tests that print nothing. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
