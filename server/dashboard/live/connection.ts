import type { Socket } from 'socket.io';
import type { ClientToServer, ServerToClient } from '../events.js';
import type { StoredEvent } from './read-events.js';

export type DashboardSocket = Socket<ClientToServer, ServerToClient>;

/** Bytes of a slow dashboard are not kept for ever: it comes back by cursor. */
const UNSENT_MAX = 4000;
const COMMANDS_PER_SECOND = 20;

/** One dashboard: how far it was told, and how fast it asks. */
export class Member {
  private second = 0;
  private asked = 0;

  constructor(
    readonly socket: DashboardSocket,
    readonly sessionId: string,
    /** The last event it was sent. */
    public cursor: number,
  ) {}

  /** Sends what it has not seen; its cursor never goes back. */
  tell(events: readonly StoredEvent[]): void {
    for (const { seq, at, kind, payload } of events) {
      if (seq <= this.cursor) continue;
      this.cursor = seq;
      this.socket.emit(kind, { seq, at, ...payload } as never);
    }
    const { writeBuffer } = this.socket.conn as unknown as {
      writeBuffer: unknown[];
    };
    if (writeBuffer.length > UNSENT_MAX) this.socket.disconnect(true);
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
