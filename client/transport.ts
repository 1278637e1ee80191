import { parseJson } from '../protocol/json.js';
import { bytesOf } from './answer-bytes.js';
import {
  BoardRefusal,
  ClientRefusal,
  type ErrorBody,
  NoAnswer,
} from './failures.js';

export type Fetch = typeof globalThis.fetch;
export type Query = Readonly<Record<string, string | number | undefined>>;
export type Asking = { signal?: AbortSignal | undefined };

export type Transport = {
  get<T>(path: string, query?: Query, asking?: Asking): Promise<T>;
  post<T>(path: string, body: object, asking?: Asking): Promise<T>;
  text(path: string, query?: Query, asking?: Asking): Promise<string>;
  bytes(path: string, query?: Query, asking?: Asking): Promise<Uint8Array>;
};

/** Long polls answer within 25 s (spec/board.md §2.1). */
const TIMEOUT_MS = 40_000;

/** The other end speaks no TLS. */
const NOT_TLS = /ERR_SSL_(?:WRONG_VERSION|PACKET_LENGTH)|EPROTO/;

/** `agentName` goes into `X-Agent-Name`; proves nothing. */
export function transport(
  board: string,
  fetchIt: Fetch,
  agentName?: string,
): Transport {
  const headers: Record<string, string> =
    agentName === undefined ? {} : { 'X-Agent-Name': agentName };

  async function ask(
    path: string,
    query: Query,
    { signal }: Asking,
    init: RequestInit = {},
  ): Promise<Uint8Array> {
    signal?.throwIfAborted();
    const late = AbortSignal.timeout(TIMEOUT_MS);
    const either = signal ? AbortSignal.any([signal, late]) : late;
    try {
      const response = await fetchIt(`${board}${path}${search(query)}`, {
        redirect: 'error',
        ...init,
        headers: { ...headers, ...init.headers },
        signal: either,
      });
      const bytes = await bytesOf(response);
      if (response.ok) return bytes;
      throw refusalOf(response, bytes);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof BoardRefusal || error instanceof ClientRefusal) {
        throw error;
      }
      const said = why(error);
      const isPlain = NOT_TLS.test(said) && board.startsWith('https:');
      const other = isPlain ? `; try http${board.slice('https'.length)}` : '';
      throw new NoAnswer(`No board answers at ${board} (${said})${other}.`);
    }
  }

  return {
    get: async (path, query = {}, asking = {}) =>
      jsonOf(await ask(path, query, asking)),
    text: async (path, query = {}, asking = {}) =>
      exact.decode(await ask(path, query, asking)),
    bytes: (path, query = {}, asking = {}) => ask(path, query, asking),
    post: async (path, body, asking = {}) =>
      jsonOf(
        await ask(path, {}, asking, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
  };
}

/** A byte order mark is part of the text. */
const exact = new TextDecoder('utf-8', { ignoreBOM: true });

function search(query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given}`;
}

function jsonOf<T>(bytes: Uint8Array): T {
  const value = objectOf(bytes);
  // A cut-off answer may be of an accepted request: counts as none.
  if (value !== null) return value as T;
  throw new NoAnswer('The answer is no JSON object, or was cut short.');
}

function objectOf(bytes: Uint8Array): object | null {
  const value = parseJson(new TextDecoder().decode(bytes));
  return typeof value === 'object' ? value : null;
}

export function refusalOf(response: Response, bytes: Uint8Array): Error {
  const { status } = response;
  const said: { error?: unknown } | null = objectOf(bytes);
  // /mcp has the board's error in the data of a JSON-RPC error.
  const body = (Object(said?.error).data ?? said) as Partial<ErrorBody> | null;
  const { error, detail } = body ?? {};
  if (typeof error === 'string' && typeof detail === 'string') {
    const after =
      secondsOf(body?.retry_after_seconds) ??
      secondsOf(response.headers.get('Retry-After'));
    return new BoardRefusal(status, { ...body, error, detail }, after);
  }
  if (status === 429 || status >= 500) {
    // A proxy's answer is not the board's JSON.
    const said = `HTTP ${status} without an answer of the board.`;
    const code = status === 429 ? 'rate_limited' : 'unavailable';
    const shown = { error: code, detail: said };
    const after = secondsOf(response.headers.get('Retry-After'));
    return new BoardRefusal(status, shown, after);
  }
  return new ClientRefusal(
    'not_a_board',
    `HTTP ${status} in a form no board answers in; is this the address of one?`,
  );
}

/** In seconds; null for dates and for times of no use. */
function secondsOf(value: unknown): number | null {
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText && /^\d{1,6}$/.test(String(value)) ? Number(value) : null;
}

export function why(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if (error.name === 'TimeoutError') return 'time-out';
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return 'code' in cause ? String(cause.code) : cause.message;
}
