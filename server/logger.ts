import { pino } from 'pino';

/** The part of pino the code uses, so that tests can pass their own. */
export type Logger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/**
 * JSON lines on standard output. No body, ticket, answer, address or seed is
 * ever passed in; the redaction below is the second fence.
 */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    redact: {
      paths: ['ticket', 'answer', 'cookie', 'ip', 'body', 'seed', '*.ticket'],
      censor: '[redacted]',
    },
  });
}

/** For command lines and tests that print nothing. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
