import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as Engine } from 'engine.io';
import { Server } from 'socket.io';
import type { PeerAdmin } from '../../../mesh/mesh-ports.js';
import type { Context } from '../../context.js';
import { takeUpgrades } from '../../http/edge/connections.js';
import { isUnnamed } from '../../http/network.js';
import type { CommandContext } from '../command.js';
import { readOverview } from '../commands/overview.js';
import { cookieHash } from '../session-store.js';
import { answerCommand, tooFast } from './answer-command.js';
import { Broadcaster, eventBounds } from './broadcaster.js';
import {
  allowRequest,
  Connection,
  ConnectionLimit,
  type DashboardSocket,
} from './connection.js';
import {
  type ClientToServer,
  NAMESPACE,
  type ServerToClient,
  SOCKET_PATH,
} from './events.js';

/** Namespace `/admin`, websockets only (spec/operators.md §3, §4). */
export class AdminSocket {
  private readonly io: Server<ClientToServer, ServerToClient>;
  private readonly engine: Engine;
  private readonly broadcaster: Broadcaster;
  private readonly context: CommandContext;
  private readonly upgraded = new Set<Duplex>();
  private stopped = false;

  constructor(
    private readonly ctx: Context,
    peers: PeerAdmin | null,
  ) {
    this.context = { ...ctx, peers };
    this.broadcaster = new Broadcaster(ctx);
    this.engine = new Engine({
      transports: ['websocket'],
      allowEIO3: false,
      perMessageDeflate: false,
      maxHttpBufferSize: 65_536,
      allowRequest: allowRequest(ctx, new ConnectionLimit()),
    });
    this.io = new Server({ serveClient: false, connectTimeout: 5000 });
    this.io.bind(this.engine);
    this.io.of('/').use((_socket, next) => next(new Error('not found')));
    const joined = new WeakSet<object>();
    this.io.of(NAMESPACE).use(({ conn }, next) => {
      if (!joined.has(conn)) {
        joined.add(conn);
        return next();
      }
      // A second namespace would double snapshot, events and limits.
      conn.close();
      next(new Error('joined already'));
    });
    this.io.of(NAMESPACE).on('connection', (socket: DashboardSocket) => {
      socket.on('error', () => {}); // what a stranger sent is no crash
      this.welcome(socket).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'a dashboard could not be welcomed');
        socket.disconnect(true);
      });
    });
  }

  /** Not by `io.attach`, which would answer plain requests for the board. */
  attach(server: HttpServer): void {
    // The app refuses requests without a network.
    const isWanted = (req: IncomingMessage) =>
      isHandshake(req) && !isUnnamed(req, this.ctx.trustedProxies);
    takeUpgrades(server, isWanted, (req, socket, head) => {
      if (this.stopped) return void socket.destroy();
      this.upgraded.add(socket);
      socket.once('close', () => this.upgraded.delete(socket));
      this.engine.handleUpgrade(req, socket, head);
    });
  }

  start(): void {
    this.broadcaster.start();
  }

  /** Closes sockets without farewell. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.io.of(NAMESPACE).disconnectSockets(true);
    for (const socket of this.upgraded) socket.destroy();
    await this.broadcaster.stop();
  }

  /** Checks its cursor; later events follow. */
  private async welcome(socket: DashboardSocket): Promise<void> {
    const { cookie } = socket.request.headers;
    const token = cookieHash(this.ctx, 'operator', cookie);
    if (token === null) return void socket.disconnect(true);
    const connection = new Connection(socket, token.toString('hex'), 0);
    socket.on('command', (request, reply) => {
      void this.answer(connection, request, reply);
    });
    const asked: unknown = socket.handshake.auth.cursor;
    // The snapshot contains earlier events: they are not sent again.
    await this.broadcaster.sequence();
    const { last, oldest } = await eventBounds(this.ctx.writes);
    if (isCursor(asked) && asked >= oldest && asked <= last) {
      connection.cursor = asked;
    } else {
      connection.cursor = last;
      const overview = await readOverview(this.context);
      socket.emit('snapshot', { seq: last, at: overview.at, overview });
    }
    if (!socket.connected) return;
    socket.on('disconnect', () =>
      this.broadcaster.connections.delete(connection),
    );
    this.broadcaster.connections.add(connection);
    this.broadcaster.wake();
  }

  private async answer(
    connection: Connection,
    request: unknown,
    reply: unknown,
  ): Promise<void> {
    if (typeof reply !== 'function') return;
    if (connection.dropIfBehind()) return;
    const { cookie } = connection.socket.request.headers;
    const answer = connection.isTooFast(performance.now())
      ? tooFast()
      : await answerCommand(this.ctx, this.context, cookie, request);
    reply(answer);
  }
}

/** With a `sid` it would skip the checks of session, Origin and limits. */
function isHandshake({ url = '' }: IncomingMessage): boolean {
  const [path, query] = url.split('?');
  const isOurs = path === SOCKET_PATH || path === `${SOCKET_PATH}/`;
  return isOurs && !new URLSearchParams(query).has('sid');
}

function isCursor(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
