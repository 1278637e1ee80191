import { parseJson, readObject } from '../../protocol/json.js';
import { bytesOf } from '../answer-bytes.js';
import { proxiedFetch } from '../cli/proxied-fetch.js';
import { BoardRefusal, ClientRefusal, NoAnswer } from '../failures.js';
import { refusalOf, why } from '../transport.js';

/** A message of JSON-RPC, as far as the bridge looks at it. */
export type Message = {
  id?: unknown;
  method?: unknown;
  params?: Readonly<Record<string, unknown>>;
  result?: unknown;
  error?: unknown;
};

/** Tools wait for 25 s at the longest (spec/board.md §2.1). */
const TIMEOUT_MS = 40_000;
const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** Where messages go. `version` is the revision that was agreed on. */
export type Place = { board: string; agentName: string; version?: string };

/**
 * Sends one message to the board's `/mcp` and gives the messages of its answer:
 * none for a notification, else those that lead to the answer, and that.
 *
 * @param line the message as it came.
 * @throws BoardRefusal, ClientRefusal or NoAnswer where the board does not
 *   answer in JSON-RPC.
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

/** The data of server-sent events; `.` and `$` know other ends of lines. */
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

/** A message of JSON-RPC 2.0; null for any other text. */
export function parsedMessage(text: string): Message | null {
  return readMessage(parseJson(text));
}

export function readMessage(value: unknown): Message | null {
  const object = readObject(value);
  return object?.jsonrpc === '2.0' ? object : null;
}

/**
 * The notifications before the answer, and that. A board asks its callers
 * nothing, so no request of one goes on to the model's program. An error about
 * a message that was not read has no ID.
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

/** As Streamable HTTP of 2026-07-28 asks for them; older ones need no more. */
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

/** Other than visible ASCII travels as base64 (MCP, Transports). */
function encoded(name: string): string {
  if (VISIBLE.test(name) && !name.startsWith('=?base64?')) return name;
  return `=?base64?${Buffer.from(name).toString('base64')}?=`;
}
