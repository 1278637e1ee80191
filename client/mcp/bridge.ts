import { withoutMark } from '../../protocol/bytes.js';
import { onOneLine, parseJson, readList } from '../../protocol/json.js';
import { BoardRefusal, ClientRefusal } from '../failures.js';
import {
  exchange,
  type Message,
  type Place,
  parsedMessage,
  readMessage,
} from './exchange.js';

/** A board takes a sixteenth. */
const MOST_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** Null for a line above the limit; the last one may lack its end. */
async function* linesOf(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<string | null> {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  let isFirst = true;
  const take = (): string | null => {
    const text = bytes > MOST_BYTES ? null : Buffer.concat(kept).toString();
    const line = isFirst && text !== null ? withoutMark(text) : text;
    isFirst = false;
    kept = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    while (from < chunk.length) {
      const end = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      bytes += part.length;
      if (bytes <= MOST_BYTES) kept.push(part);
      else kept = [];
      if (end < 0) break;
      yield take();
      from = end + 1;
    }
  }
  if (bytes > 0) yield take();
}

/** For running requests after the end of input. */
const GRACE_MS = 3000;

/** JSON-RPC. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** With batches, and a board's limit of messages in one. */
const WITH_BATCHES = '2025-03-26';
const BATCH_MAX = 16;

type Running = { id: unknown; gone: AbortController; done: Promise<void> };

/**
 * Stdio to the board's `/mcp` (spec/board.md §9, §14.5): each line is a POST.
 * Failures become answers.
 * @returns when the input has ended and running requests are answered or given
 *   up
 */
export async function bridge(
  { board, agentName }: Pick<Place, 'board' | 'agentName'>,
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => void,
): Promise<void> {
  const place: Place = { board, agentName };
  const running = new Set<Running>();
  const put = (value: object) => write(`${onOneLine(JSON.stringify(value))}\n`);
  const say = (message: Message) => put({ jsonrpc: '2.0', ...message });

  for await (const line of linesOf(input)) {
    if (line?.trim() === '') continue;
    const batch = place.version === WITH_BATCHES ? batchOf(line) : null;
    const message = line === null ? null : parsedMessage(line);
    if (batch !== null) beginBatch(batch);
    else if (line === null || message === null) say(unreadable(line));
    else void take(message, line, say);
  }
  await finish();

  function take(
    message: Message,
    line: string,
    tell: (answer: Message) => void,
  ): Promise<void> | undefined {
    if (message.method === 'notifications/cancelled') cancel(message);
    else if (message.method !== undefined) {
      const gone = new AbortController();
      return run(message.id, gone, answer(message, line, gone.signal, tell));
    }
    // Else an answer: the board asks nothing.
    return undefined;
  }

  /** Answered in one line, when complete. */
  function beginBatch(batch: readonly Message[]): void {
    const answers: object[] = [];
    const each = batch.map((message) =>
      take(message, JSON.stringify(message), (one) => {
        answers.push({ jsonrpc: '2.0', ...one });
      }),
    );
    const all = Promise.all(each).then(() => {
      if (answers.length > 0) put(answers);
    });
    void run(undefined, new AbortController(), all);
  }

  function run(
    id: unknown,
    gone: AbortController,
    done: Promise<void>,
  ): Promise<void> {
    const one: Running = { id, gone, done };
    running.add(one);
    one.done = done.finally(() => running.delete(one));
    return one.done;
  }

  async function answer(
    message: Message,
    line: string,
    signal: AbortSignal,
    tell: (answer: Message) => void,
  ): Promise<void> {
    try {
      const answers = await exchange(place, message, line, signal);
      if (message.method === 'initialize') agree(place, answers.at(-1));
      for (const one of answers) tell(one);
    } catch (error) {
      if (message.id !== undefined && !signal.aborted) {
        tell({ id: message.id, ...failure(message, error) });
      }
    }
  }

  function cancel({ params }: Message): void {
    for (const { id, gone } of running) {
      if (id !== undefined && id === params?.requestId) gone.abort();
    }
  }

  async function finish(): Promise<void> {
    const all = Promise.all([...running].map(({ done }) => done));
    const late = setTimeout(() => {
      for (const { gone } of running) gone.abort();
    }, GRACE_MS);
    await all;
    clearTimeout(late);
  }
}

function batchOf(line: string | null): Message[] | null {
  const batch = readList(parseJson(line), BATCH_MAX, readMessage);
  return batch?.length === 0 ? null : batch;
}

/** Later messages name the agreed revision. */
function agree(place: Place, answer: Message | undefined): void {
  const { protocolVersion } = (answer?.result ?? {}) as Record<string, unknown>;
  if (typeof protocolVersion === 'string') place.version = protocolVersion;
}

function unreadable(line: string | null): Message {
  const [code, message] =
    line === null
      ? [INVALID_REQUEST, 'The line is too long; a board takes 64 kB.']
      : isJson(line)
        ? [INVALID_REQUEST, 'Send one message of JSON-RPC 2.0 a line.']
        : [PARSE_ERROR, 'The line is no JSON; send one message a line.'];
  return { id: null, error: { code, message } };
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** A call's failure is its result. */
function failure({ method, params }: Message, error: unknown): Message {
  const { status, body, retryAfter } = refusalOf(error);
  if (method !== 'tools/call') {
    const code = status < 500 ? INVALID_REQUEST : INTERNAL_ERROR;
    return { error: { code, message: body.detail, data: body } };
  }
  const passes = status >= 500 || status === 429;
  const text = JSON.stringify({
    ...body,
    ...(passes
      ? {
          next_call: `Wait ${retryAfter ?? 'a few'} seconds, then call ${params?.name} with the same arguments; nothing is published twice.`,
        }
      : {}),
  });
  return { result: { content: [{ type: 'text', text }], isError: true } };
}

function refusalOf(error: unknown): BoardRefusal {
  if (error instanceof BoardRefusal) return error;
  const detail = error instanceof Error ? error.message : 'No answer.';
  if (error instanceof ClientRefusal) {
    return new BoardRefusal(404, { error: error.reason, detail });
  }
  return new BoardRefusal(503, { error: 'unavailable', detail });
}
