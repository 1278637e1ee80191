import { pino } from 'pino';

/** The used part of pino. */
export type Logger = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Buffered while the log cannot be written; more is dropped. */
const KEPT_BYTES = 1_048_576;

/** Members of database errors with parameters or rows. */
const ROWS = new Set(['parameters', 'query', 'driverError', 'detail', 'where']);

/** Of 2 kB, without level, time and message. */
const FIELDS_BYTES = 1400;
const ERROR_BYTES = 1350;
const MESSAGE_CHARS = 200;
const TEXT_CHARS = 300;
const STACK_CHARS = 800;

/** Without members' texts and the library's objects. */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const fields = Object.entries(pino.stdSerializers.err(error)).filter(
    ([key, value]) => !ROWS.has(key) && Object(value) !== value,
  );
  return bounded(Object.fromEntries(fields), ERROR_BYTES);
}

function bounded(fields: object, bytes: number): Record<string, unknown> {
  let room = bytes;
  const shown = Object.entries(fields).flatMap(([name, value]) => {
    const short = shortened(name, value);
    const fits = [short, '…'].find((one) => bytesOf(name, one) <= room);
    if (fits === undefined) return [];
    room -= bytesOf(name, fits);
    return [[name, fits]];
  });
  return Object.fromEntries(shown);
}

function bytesOf(name: string, value: unknown): number {
  return Buffer.byteLength(JSON.stringify({ [name]: value }));
}

/** A circle costs its field, not the line. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined || value === undefined;
  } catch {
    return false;
  }
}

function shortened(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    return cut(value, name === 'stack' ? STACK_CHARS : TEXT_CHARS);
  }
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return loggedError(value);
  const made = Object.getPrototypeOf(value)?.constructor ?? Object;
  const isPlain = made === Object || made === Array;
  return isPlain && isJson(value) ? value : `${made.name}, not shown`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

/**
 * JSON lines on standard output. Callers pass no body, ticket, address or seed;
 * redaction is a second fence. A full disk costs lines, not the board.
 */
export function createLogger(level: string): Logger {
  const lines = pino.destination({ fd: 1, sync: true, maxLength: KEPT_BYTES });
  lines.on('error', () => {});
  return pino(
    {
      level,
      base: null,
      serializers: { err: loggedError },
      formatters: { log: (fields) => bounded(fields, FIELDS_BYTES) },
      hooks: {
        logMethod([fields, message = '', ...more], log) {
          log.apply(this, [fields, cut(message, MESSAGE_CHARS), ...more]);
        },
      },
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
