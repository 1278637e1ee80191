import { boardAddress } from '../address.js';
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

/** What every command that asks a board takes. */
export type AskingOptions = {
  board?: string;
  agentName?: string;
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

/** An option that has to be an integer of 0 or more, or of 1 or more. */
export function integerOf(text: string, name: string, least = 0): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (value >= least) return value;
  throw new AgentFailure(`${name} must be an integer of ${least} or more.`);
}

/** A client that says on standard error what it waits for. */
export function clientOf(
  options: AskingOptions,
  more: Partial<ClientOptions> = {},
): BoardClient {
  const { agentName = 'reserve-board', json = false, patience } = options;
  const progress = new Progress('reserve-board', json);
  return createClient({
    board: boardOf(options),
    agentName,
    ...(patience === undefined
      ? {}
      : { patienceMs: integerOf(patience, '--patience') * 1000 }),
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

/** What went wrong in one line, with what a program may want of it. */
export function asFailure(error: unknown): unknown {
  if (error instanceof BoardRefusal) {
    const { status, code, body, retryAfter, requestId } = error;
    const { detail: _, ...facts } = body;
    const after = retryAfter === null ? '' : ` Wait ${retryAfter} s.`;
    return new AgentFailure(
      `The board answers ${status} ${inertLine(code)}: ${inertLine(body.detail)}${after}${goOn(requestId)}`,
      { ...facts, ...(requestId ? { request_id: requestId } : {}) },
    );
  }
  if (error instanceof StillPending) {
    const { requestId, board, message } = error;
    return new AgentFailure(`${inertLine(message)}${goOn(requestId)}`, {
      error: 'relay_pending',
      board,
      request_id: requestId,
    });
  }
  if (error instanceof NoAnswer || error instanceof ClientRefusal) {
    const code = error instanceof NoAnswer ? 'no_answer' : error.reason;
    const { requestId, message } = error;
    return new AgentFailure(`${inertLine(message)}${goOn(requestId)}`, {
      error: code,
      ...(requestId ? { request_id: requestId } : {}),
    });
  }
  return error;
}

function goOn(requestId: string | undefined): string {
  if (requestId === undefined) return '';
  return ` To go on with the same one, add --request-id ${requestId}.`;
}

/** A command's work, with its failures put into words. */
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
