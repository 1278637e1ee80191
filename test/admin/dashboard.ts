import { io, type Socket } from 'socket.io-client';
import type {
  CommandInput,
  CommandName,
  CommandReply,
} from '../../server/dashboard/all-commands.js';
import {
  type ClientToServer,
  EVENT_KINDS,
  type LiveEvent,
  NAMESPACE,
  type ServerToClient,
  SOCKET_PATH,
} from '../../server/dashboard/live/events.js';
import { BASE_URL, type TestBoard } from '../support/board.js';
import { HANG_MS } from '../support/full.js';
import { until } from '../support/until.js';
import { givenOperators } from './operators.js';

export type ReceivedEvent = LiveEvent & { kind: string };

export class Dashboard {
  readonly told: ReceivedEvent[] = [];
  refused: string | null = null;
  private readonly socket: Socket<ServerToClient, ClientToServer>;

  constructor(
    test: TestBoard,
    options: { cookie?: string; origin?: string | null; cursor?: unknown },
  ) {
    const { cookie = '', origin = BASE_URL, cursor } = options;
    this.socket = io(`${test.url}${NAMESPACE}`, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      timeout: HANG_MS,
      auth: { cursor },
      extraHeaders: {
        ...(cookie === '' ? {} : { Cookie: cookie }),
        ...(origin === null ? {} : { Origin: origin }),
      },
    });
    this.socket.on('connect_error', (error) => {
      this.refused = error.message;
    });
    for (const kind of EVENT_KINDS) {
      this.socket.on(kind, (event: LiveEvent) => {
        this.told.push({ ...event, kind });
      });
    }
  }

  get connected(): boolean {
    return this.socket.connected;
  }

  /** The raw websocket's way in, for what no client would send. */
  get raw(): { write(packet: string): void } {
    const { engine } = this.socket.io as unknown as {
      engine: { write(data: string): void };
    };
    return { write: (packet) => engine.write(packet) };
  }

  async settled(): Promise<this> {
    await until(
      'a handshake is answered',
      () => this.connected || this.refused !== null,
    );
    return this;
  }

  of(kind: string): ReceivedEvent[] {
    return this.told.filter((event) => event.kind === kind);
  }

  get cursor(): number {
    return this.told.at(-1)?.seq ?? 0;
  }

  async ask<N extends CommandName>(
    name: N,
    input: CommandInput<N>,
  ): Promise<CommandReply> {
    return await this.send({ name, input });
  }

  async send(request: unknown): Promise<CommandReply> {
    // The client would keep it for a connection that never comes.
    if (!this.connected) throw new Error('the connection is closed');
    return await this.socket
      .timeout(HANG_MS)
      .emitWithAck('command', request as never);
  }

  close(): void {
    this.socket.disconnect();
  }
}

type Options = ConstructorParameters<typeof Dashboard>[1];

export function givenDashboards() {
  const { test, moderator } = givenOperators();
  const open: { close(): void }[] = [];
  const closeAll = () => {
    for (const one of open.splice(0)) one.close();
  };
  // A board that stops waits for none of them.
  afterEach(closeAll);

  async function dashboard(
    options: Options = {},
    at: TestBoard = test,
  ): Promise<Dashboard> {
    const { cookie } = moderator;
    const made = new Dashboard(at, { cookie, ...options });
    open.push(made);
    return await made.settled();
  }

  async function welcomed(options: Options = {}): Promise<Dashboard> {
    const made = await dashboard(options);
    await until('a snapshot comes', () => made.of('snapshot').length === 1);
    return made;
  }

  return { test, moderator, open, closeAll, dashboard, welcomed };
}
