import type { IncomingMessage } from 'node:http';
import type { Socket } from 'socket.io';
import type { Context } from '../../context.js';
import type { AdminEvent } from '../../db/entities/dashboard.js';
import { BoardError } from '../../errors.js';
import { requestNetwork } from '../../http/network.js';
import { isOwnOrigin, sessionOf } from '../session.js';
import type { ClientToServer, ServerToClient } from './events.js';

export type DashboardSocket = Socket<ClientToServer, ServerToClient>;

/** More: a slow dashboard is disconnected and resumes by its cursor. */
const UNSENT_PACKETS = 4000;
/** Four of the longest answers. */
const UNSENT_BYTES = 4 * 2 ** 20;
const COMMANDS_PER_SECOND = 20;

type Unsent = {
  writeBuffer: { data?: string }[];
  transport: { socket: { bufferedAmount: number; terminate(): void } };
};

export class Connection {
  private second = 0;
  private asked = 0;

  constructor(
    readonly socket: DashboardSocket,
    /** Hash of its cookie, hex. */
    readonly token: string,
    public cursor: number,
  ) {}

  /** Its cursor never goes back. */
  emit(events: readonly AdminEvent[]): void {
    for (const { seq, at, kind, payload } of events) {
      if (seq <= this.cursor) continue;
      this.cursor = seq;
      this.socket.emit(kind, { seq, at, ...payload } as never);
    }
    this.dropIfBehind();
  }

  /** Unsent packets are in memory, and a polite close would wait. */
  dropIfBehind(): boolean {
    const { writeBuffer, transport } = this.socket.conn as unknown as Unsent;
    const waiting = writeBuffer.reduce(
      (sum, { data }) => sum + (data?.length ?? 0),
      transport.socket.bufferedAmount,
    );
    const isBehind =
      writeBuffer.length > UNSENT_PACKETS || waiting > UNSENT_BYTES;
    if (isBehind) transport.socket.terminate();
    return isBehind;
  }

  /** One more command in this second is too many. */
  isTooFast(now: number): boolean {
    const second = Math.floor(now / 1000);
    if (second !== this.second) {
      this.second = second;
      this.asked = 0;
    }
    this.asked += 1;
    return this.asked > COMMANDS_PER_SECOND;
  }
}

/** Tabs of a browser, dashboards of an office. */
const PER_SESSION = 16;
const PER_NETWORK = 64;

export class ConnectionLimit {
  private readonly taken = new Map<string, number>();

  /** Returns the release, or null when full. */
  enter(sessionId: string, network: Uint8Array): (() => void) | null {
    const session = `session ${sessionId}`;
    const from = `network ${Buffer.from(network).toString('hex')}`;
    const count = (name: string) => this.taken.get(name) ?? 0;
    if (count(session) >= PER_SESSION || count(from) >= PER_NETWORK)
      return null;
    for (const name of [session, from]) this.taken.set(name, count(name) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      for (const name of [session, from]) {
        if (count(name) > 1) this.taken.set(name, count(name) - 1);
        else this.taken.delete(name);
      }
    };
  }
}

type Decide = (error: string | null | undefined, success: boolean) => void;

/** Checks Origin, live session (spec/operators.md §1.4) and limits. */
export function allowRequest(
  ctx: Context,
  limit: ConnectionLimit,
): (req: IncomingMessage, decide: Decide) => void {
  const isAllowed = async (req: IncomingMessage): Promise<boolean> => {
    if (req.headers.origin === undefined || !isOwnOrigin(ctx, req)) {
      return false;
    }
    const session = await sessionOf(ctx, req);
    if (session === null || ctx.stopping.aborted) return false;
    const network = requestNetwork(req, ctx.trustedProxies);
    const leave = limit.enter(session.sessionId, network);
    if (leave === null) return false;
    if (req.socket.destroyed) leave();
    else req.socket.once('close', leave);
    return true;
  };
  return (req, decide) => {
    isAllowed(req).then(
      (fine) => decide(fine ? null : 'forbidden', fine),
      (error: unknown) => {
        if (error instanceof BoardError) return decide(error.code, false);
        ctx.log.warn({ err: error }, 'a handshake could not be checked');
        decide('unavailable', false);
      },
    );
  };
}
