import {
  type BoardClient,
  type ClientOptions,
  createClient,
} from '../../../client/board-client.js';
import type { TestBoard } from '../../support/board.js';
import { type CuttingProxy, cuttingProxy } from './proxy.js';

export const BOARD_NAME = 'board.test';

export type Asked = {
  client: BoardClient;
  /** Every wait, in ms; none of them took any time. */
  waits: number[];
};

/** Its waits move the board's clock; `address`: the network it asks from. */
export function asking(
  test: TestBoard,
  options: Partial<ClientOptions> & { address?: string } = {},
): Asked {
  const { address = '203.0.113.1', ...more } = options;
  const waits: number[] = [];
  const client = createClient({
    board: test.url,
    boardName: BOARD_NAME,
    now: () => test.clock.now(),
    random: () => 0,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      test.clock.advance(ms);
    },
    fetch: from(address),
    ...more,
  });
  return { client, waits };
}

/** Clients that ask through a proxy of their own, which ends with the test. */
export function givenProxies(test: TestBoard) {
  const open: CuttingProxy[] = [];
  afterEach(async () => {
    for (const proxy of open.splice(0)) await proxy.stop();
  });
  return async (
    fate: Parameters<typeof cuttingProxy>[1],
    options: Partial<ClientOptions> = {},
  ) => {
    const proxy = await cuttingProxy(test.url, fate);
    open.push(proxy);
    return { proxy, ...asking(test, { board: proxy.url, ...options }) };
  };
}

/** `fetch` as another network of the trusted proxy. */
function from(address: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('X-Forwarded-For', address);
    return fetch(input, { ...init, headers });
  };
}

/** The error that a promise ends with; fails where it does not. */
export async function failure<T extends Error>(
  promise: Promise<unknown>,
  kind: new (...args: never[]) => T,
): Promise<T> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  throw new Error(`no ${kind.name} was thrown`);
}
