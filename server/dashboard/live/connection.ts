import type { IncomingMessage } from 'node:http';
import type { Socket } from 'socket.io';
import type { Context } from '../../context.js';
import type { AdminEvent } from '../../db/entities/dashboard.js';
import { BoardError } from '../../errors.js';
import { requestNetwork } from '../../http/network.js';
import type { ClientToServer, ServerToClient } from '../schemas/events.js';
import { isOwnOrigin, sessionOf } from '../session.js';

export type DashboardSocket = Socket<ClientToServer, ServerToClient>;

/** A slow dashboard is disconnected, and comes back with its cursor. */
const UNSENT_PACKETS = 4000;
/** Four of the longest answers. */
const UNSENT_BYTES = 4 * 2 ** 20;
const COMMANDS_PER_SECOND = 20;

/** What Engine.IO keeps of a connection until the other side takes it. */
type Unsent = {
  writeBuffer: { data?: string }[];
  transport: { socket: { bufferedAmount: number; terminate(): void } };
};

/** One dashboard: the last event it was sent, and how fast it asks. */
export class Connection {
  private second = 0;
  private asked = 0;

  constructor(
    readonly socket: DashboardSocket,
    /** The hash of its cookie, in hexadecimal. */
    readonly token: string,
    /** The last event it was sent. */
    public cursor: number,
  ) {}

  /** Sends the events after its cursor, which never goes back. */
  emit(events: readonly AdminEvent[]): void {
    for (const { seq, at, kind, payload } of events) {
      if (seq <= this.cursor) continue;
      this.cursor = seq;
      this.socket.emit(kind, { seq, at, ...payload } as never);
    }
    this.dropIfBehind();
  }

  /**
   * Ends a dashboard that reads too little of what it asked for and was sent:
   * all of that is in memory. A polite close would wait for it to read.
   */
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

  /** Whether one more command is too many in this second. */
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

/** Tabs of one browser, and dashboards of one office. */
const PER_SESSION = 16;
const PER_NETWORK = 64;

/** How many dashboards one session and one network keep open on a process. */
export class ConnectionLimit {
  private readonly taken = new Map<string, number>();

  /** Counts a connection in both, or null where one is full. */
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

/**
 * Refuses every handshake without the dashboard's exact Origin and a live
 * session (spec/operators.md §1.4), and those over the limit; `null` and no
 * Origin are refused as well.
 */
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
