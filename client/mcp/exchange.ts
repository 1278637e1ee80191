import { parseJson, readObject } from '../../protocol/json.js';
import { bytesOf } from '../answer-bytes.js';
import { proxiedFetch } from '../cli/proxied-fetch.js';
import { BoardRefusal, ClientRefusal, NoAnswer } from '../failures.js';
import { refusalOf, why } from '../transport.js';

/** JSON-RPC, as far as needed. */
export type Message = {
  id?: unknown;
  method?: unknown;
  params?: Readonly<Record<string, unknown>>;
  result?: unknown;
  error?: unknown;
};

/** Tools wait up to 25 s (spec/board.md §2.1). */
const TIMEOUT_MS = 40_000;
const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** `version`: the agreed revision. */
export type Place = { board: string; agentName: string; version?: string };

/**
 * Returns the answer with notifications before it; nothing for a notification.
 * @param line the message as it came
 * @throws BoardRefusal, ClientRefusal or NoAnswer without JSON-RPC
 */
export async function exchange(
  place: Place,
  message: Message,
  line: string,
  signal: AbortSignal,
): Promise<Message[]> {
  const { board } = place;
  try {
    const response = await proxiedFetch(`${board}/mcp`, {
      method: 'POST',
      redirect: 'error',
      headers: headersOf(place, message),
      body: line,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const bytes = await bytesOf(response);
    if (message.id === undefined) return [];
    const refused = response.ok ? null : refusalOf(response, bytes);
    if (refused instanceof BoardRefusal) throw refused;
    const given = messagesOf(response, new TextDecoder().decode(bytes));
    const answered = answerTo(message.id, given);
    if (answered !== null) return answered;
    if (refused !== null) throw refused;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BoardRefusal || error instanceof ClientRefusal) {
      throw error;
    }
    throw new NoAnswer(`No board answers at ${board} (${why(error)}).`);
  }
  throw new ClientRefusal(
    'not_a_board',
    `What answers at ${board}/mcp is no Model Context Protocol; is this the address of a board?`,
  );
}

function messagesOf({ headers }: Response, text: string): Message[] {
  const stream = headers.get('content-type')?.startsWith(STREAM_TYPE);
  const texts = stream ? eventsOf(text) : [text];
  return texts.flatMap((one) => parsedMessage(one) ?? []);
}

/** Not by `.` and `$`, which know other line ends. */
function eventsOf(text: string): string[] {
  const events: string[][] = [[]];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === '') events.push([]);
    else if (line.startsWith('data:')) {
      const from = line.startsWith('data: ') ? 6 : 5;
      events.at(-1)?.push(line.slice(from));
    }
  }
  return events.map((lines) => lines.join('\n'));
}

/** Null unless JSON-RPC 2.0. */
export function parsedMessage(text: string): Message | null {
  return readMessage(parseJson(text));
}

export function readMessage(value: unknown): Message | null {
  const object = readObject(value);
  return object?.jsonrpc === '2.0' ? object : null;
}

/**
 * With notifications before it. Requests of a board are dropped: it has none.
 * An error about an unread message has no ID.
 */
function answerTo(id: unknown, given: readonly Message[]): Message[] | null {
  const at = given.findIndex(
    (one) =>
      one.method === undefined &&
      (one.id === id || (one.error !== undefined && (one.id ?? null) === null)),
  );
  const answer = given[at];
  return answer === undefined
    ? null
    : [
        ...given.slice(0, at).filter((one) => one.id === undefined),
        { ...answer, id },
      ];
}

const VISIBLE = /^[\x21-\x7e]{1,512}$/;

/** Streamable HTTP of 2026-07-28; older ones need no more. */
function headersOf(
  { agentName, version }: Place,
  { method, params }: Message,
): Record<string, string> {
  const meta = params?._meta as Record<string, unknown> | undefined;
  const revision = meta?.['io.modelcontextprotocol/protocolVersion'] ?? version;
  const name = params?.name ?? params?.uri;
  return {
    'Content-Type': JSON_TYPE,
    Accept: `${JSON_TYPE}, ${STREAM_TYPE}`,
    'X-Agent-Name': agentName,
    ...header('MCP-Protocol-Version', revision),
    ...header('Mcp-Method', method),
    ...header('Mcp-Name', typeof name === 'string' ? encoded(name) : undefined),
  };
}

function header(name: string, value: unknown): Record<string, string> {
  return typeof value === 'string' && VISIBLE.test(value)
    ? { [name]: value }
    : {};
}

/** Base64 unless visible ASCII (MCP, Transports). */
function encoded(name: string): string {
  if (VISIBLE.test(name) && !name.startsWith('=?base64?')) return name;
  return `=?base64?${Buffer.from(name).toString('base64')}?=`;
}
