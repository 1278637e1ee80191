import { io, type Socket } from 'socket.io-client';
import type {
  CommandAnswers,
  CommandInput,
  CommandName,
} from '../../server/dashboard/all-commands.js';
import {
  type ClientToServer,
  EVENT_KINDS,
  type LiveEvent,
  NAMESPACE,
  type ReceivedEvent,
  type ServerToClient,
  SOCKET_PATH,
} from '../../server/dashboard/live/events.js';
import { Listeners } from '../api/listeners.js';
import { sessionEnded } from '../api/query-client.js';
import { lostRefusal, Refusal } from '../api/request.js';

const ANSWER_MS = 30_000;
const AGAIN_MS = 1000;
const TOO_FAST = 'socket_commands';
const TRIES = 5;

export type LiveState = 'connecting' | 'connected' | 'lost';

/** Resumes after the last event: none is lost (spec/operators.md §3). */
class LiveSocket {
  private socket: Socket<ServerToClient, ClientToServer> | null = null;
  private cursor: number | null = null;
  private current: LiveState = 'connecting';
  private gap = false;
  /** Called when `state` changes. */
  readonly changes = new Listeners();
  /** Each event once, in order. */
  readonly events = new Listeners<ReceivedEvent>();

  start(): void {
    if (this.socket !== null) return;
    const socket: Socket<ServerToClient, ClientToServer> = io(NAMESPACE, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      auth: (give) => give(this.cursor === null ? {} : { cursor: this.cursor }),
      reconnectionDelay: 500,
      reconnectionDelayMax: 10_000,
      timeout: 10_000,
    });
    this.socket = socket;
    socket.on('connect', () => {
      if (this.cursor !== null) this.change('connected');
    });
    socket.on('connect_error', () => {
      this.change('lost');
      sessionEnded();
    });
    socket.on('disconnect', (reason) => {
      if (this.socket !== socket) return;
      this.change('lost');
      // The board closed the connection: it stops, or the session has ended.
      if (reason !== 'io server disconnect') return;
      sessionEnded();
      setTimeout(() => this.socket === socket && socket.connect(), AGAIN_MS);
    });
    for (const kind of EVENT_KINDS) {
      socket.on(kind, (event: LiveEvent) =>
        this.onEvent({ ...event, kind } as unknown as ReceivedEvent),
      );
    }
  }

  /** Forgets the cursor, too. */
  stop(): void {
    this.socket?.disconnect();
    this.socket = null;
    this.cursor = null;
    this.change('connecting');
  }

  /** After a step-up there is a new cookie. */
  renew(): void {
    this.socket?.disconnect().connect();
  }

  async ask<N extends CommandName>(
    name: N,
    input: CommandInput<N>,
    tries = 1,
  ): Promise<CommandAnswers[N]> {
    const reply = await this.socket
      ?.timeout(ANSWER_MS)
      .emitWithAck('command', { name, input })
      .catch(() => undefined);
    if (reply === undefined) {
      throw lostRefusal(
        'The connection was lost before the answer came. What you sent may have been done: look before you send it again.',
      );
    }
    if (reply.ok) return reply.data as CommandAnswers[N];
    const { scope, retry_after_seconds: seconds = 1 } = reply.error;
    // The socket's rate limit: not done, so it is sent again.
    if (scope !== TOO_FAST || tries >= TRIES) {
      throw new Refusal(reply.status, reply.error);
    }
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return await this.ask(name, input, tries + 1);
  }

  readonly isConnected = (): boolean => this.current === 'connected';
  readonly state = (): LiveState => this.current;
  /** Whether the present snapshot replaces lost events. */
  readonly isGap = (): boolean => this.gap;

  private onEvent(event: ReceivedEvent): void {
    const seen = this.cursor ?? -1;
    if (event.kind !== 'snapshot' && event.seq <= seen) return;
    this.gap = event.kind === 'snapshot' && this.cursor !== null;
    this.cursor = event.seq;
    this.change('connected');
    this.events.tell(event);
  }

  private change(state: LiveState): void {
    if (this.current === state) return;
    this.current = state;
    this.changes.tell();
  }
}

export const live = new LiveSocket();
