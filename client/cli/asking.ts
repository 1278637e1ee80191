import { boardAddress } from '../../protocol/address.js';
import {
  type BoardClient,
  BoardRefusal,
  type ClientOptions,
  ClientRefusal,
  createClient,
  NoAnswer,
  StillPending,
} from '../board-client.js';
import { AgentFailure } from './failure.js';
import { inertLine } from './inert.js';
import { Progress } from './progress.js';
import { proxiedFetch } from './proxied-fetch.js';

export type AskingOptions = {
  board?: string;
  agentName: string;
  patience?: string;
  json?: boolean;
};

/** `--board`, or RESERVE_BOARD_URL. */
export function boardOf({ board }: AskingOptions): string {
  const text = board ?? process.env.RESERVE_BOARD_URL;
  if (text === undefined) {
    throw new AgentFailure(
      'Name the board: --board https://board.example, or RESERVE_BOARD_URL.',
    );
  }
  const address = boardAddress(text);
  if (address !== null) return address;
  throw new AgentFailure(
    `--board must be an address such as https://board.example, not "${inertLine(text)}".`,
  );
}

/** `least`: 0 or 1. */
export function integerOf(text: string, name: string, least = 0): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (value >= least) return value;
  throw new AgentFailure(`${name} must be an integer of ${least} or more.`);
}

export function maybeInteger(
  text: string | undefined,
  name: string,
  least = 0,
): number | undefined {
  return text === undefined ? undefined : integerOf(text, name, least);
}

/** Reports waits on standard error. */
export function clientOf(
  options: AskingOptions,
  more: Partial<ClientOptions> = {},
): BoardClient {
  const { agentName, json = false, patience = '120' } = options;
  const progress = new Progress('reserve-board', json);
  return createClient({
    board: boardOf(options),
    agentName,
    fetch: proxiedFetch,
    patienceMs: integerOf(patience, '--patience') * 1000,
    onWait: (ms, why) => {
      const seconds = Math.ceil(ms / 1000);
      progress.note(`waiting ${seconds} s (${inertLine(reasonOf(why))})`);
    },
    ...more,
  });
}

function reasonOf(why: unknown): string {
  if (why instanceof BoardRefusal) return String(why.body.scope ?? why.code);
  return why instanceof Error ? why.message : 'no answer';
}

/** One line, and facts for programs. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const said = inertLine(error.message);
  if (error instanceof BoardRefusal) {
    const { status, code, body, retryAfter } = error;
    const { detail: _, ...facts } = body;
    const after = retryAfter === null ? '' : ` Wait ${retryAfter} s.`;
    const words = originWords(body.origin_error);
    const answer = `The board answers ${status} ${inertLine(code)}: ${said}${words}${after}`;
    return failure(error, answer, facts);
  }
  if (error instanceof StillPending) {
    return failure(error, said, { error: 'relay_pending', board: error.board });
  }
  if (error instanceof NoAnswer || error instanceof ClientRefusal) {
    const code = error instanceof NoAnswer ? 'no_answer' : error.reason;
    return failure(error, said, { error: code });
  }
  // Not a board's types, or nested too deeply.
  if (error instanceof TypeError || error instanceof RangeError) {
    const strange = `What answers is in a form no board answers in (${said}).`;
    return new AgentFailure(strange, { error: 'not_a_board' });
  }
  return error;
}

/** In the other board's words. */
function originWords(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { error: code, detail } = error as Record<string, unknown>;
  if (typeof detail !== 'string') return '';
  return ` Its own words: ${inertLine(`${String(code)}: ${detail}`)}`;
}

/** Without "try again" where the content was refused. */
function failure(
  error: { requestId?: string },
  sentence: string,
  facts: Record<string, unknown>,
): AgentFailure {
  const { requestId } = error;
  if (requestId === undefined) return new AgentFailure(sentence, facts);
  const { status = 0 } = error as { status?: number };
  const mayHelp =
    !(error instanceof BoardRefusal) || status === 429 || status >= 500;
  return new AgentFailure(
    mayHelp
      ? `${sentence} To retry without posting twice, add --request-id ${requestId}.`
      : sentence,
    { ...facts, request_id: requestId },
  );
}

export function inWords<Args extends unknown[]>(
  work: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await work(...args);
    } catch (error) {
      throw asFailure(error);
    }
  };
}
