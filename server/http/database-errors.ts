/**
 * Lost connections, full disks, shutdowns, timeouts, and databases without
 * connections, writes or our role.
 */
const SQLSTATE =
  /^(?:08...|25006|25P0[34]|28...|3D000|53...|55000|57P0.|55P03|57014|40001|40P01)$/;

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

/** Only from a connect. */
const ON_CONNECT = new Set([
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
  // Out of file descriptors.
  'EMFILE',
  'ENFILE',
]);
const CONNECTING = new Set(['connect', 'getaddrinfo']);

const NAMES = new Set([
  'CannotExecuteNotConnectedError',
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
  'ConnectionIsNotSetError',
]);

/** Errors of pg without a code. */
const MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end',
];

const MAX_WRAPPINGS = 4;

type Clues = {
  code?: unknown;
  syscall?: unknown;
  name?: unknown;
  message?: unknown;
  driverError?: unknown;
  cause?: unknown;
  errors?: unknown;
};

function isUnavailable({ code, syscall, name, message }: Clues): boolean {
  if (typeof code === 'string') {
    if (SQLSTATE.test(code) || NETWORK.has(code)) return true;
    if (ON_CONNECT.has(code)) return CONNECTING.has(String(syscall));
  }
  if (typeof name === 'string' && NAMES.has(name)) return true;
  return (
    typeof message === 'string' &&
    MESSAGES.some((text) => message.startsWith(text))
  );
}

/** `503 unavailable` (spec/board.md §12). Wrapped errors, too. */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (depth > MAX_WRAPPINGS) return false;
  const clues: Clues = error;
  if (isUnavailable(clues)) return true;
  const inner = Array.isArray(clues.errors) ? clues.errors : [];
  return [clues.driverError, clues.cause, ...inner].some((wrapped) =>
    isDatabaseUnavailable(wrapped, depth + 1),
  );
}
