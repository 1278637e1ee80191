import { isConnectionLost } from '../db/sql.js';

/**
 * Lost connections, full disks, shutdowns, timeouts, and databases without
 * connections, writes or our role.
 */
const SQLSTATE =
  /^(?:08...|25006|25P0[34]|28...|3D000|53...|55000|57P0.|55P03|57014|40001|40P01)$/;

const NETWORK = /^(?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH)$/;
/** Only from a connect; EMFILE and ENFILE: out of file descriptors. */
const ON_CONNECT = /^(?:ENOENT|ENOTFOUND|EAI_AGAIN|EACCES|EMFILE|ENFILE)$/;
const CONNECTING = /^(?:connect|getaddrinfo)$/;

const NAMES =
  /^(?:CannotExecuteNotConnected|QueryRunner(?:Provider)?AlreadyReleased|ConnectionIsNotSet)Error$/;

/** Errors of pg without a code, beside those of lost connections. */
const MESSAGES =
  /^(?:timeout exceeded when trying to connect|Query read timeout|Client was closed and is not queryable|Cannot use a pool after calling end)/;

const MAX_WRAPPINGS = 4;

type Clues = Partial<
  Record<
    | 'code'
    | 'syscall'
    | 'name'
    | 'message'
    | 'driverError'
    | 'cause'
    | 'errors',
    unknown
  >
>;

function isUnavailable({ code, syscall, name, message }: Clues): boolean {
  if (isConnectionLost({ code, message })) return true;
  if (typeof code === 'string') {
    if (SQLSTATE.test(code) || NETWORK.test(code)) return true;
    if (ON_CONNECT.test(code)) return CONNECTING.test(String(syscall));
  }
  return NAMES.test(String(name)) || MESSAGES.test(String(message));
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
