import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { Server } from 'socket.io';
import type { PeerDesk } from '../../../mesh/mesh-ports.js';
import type { Context } from '../../context.js';
import { takeUpgrades } from '../../http/edge/websocket-upgrade.js';
import { isUnnamed } from '../../http/request-network.js';
import { readOverview } from '../commands/overview.js';
import type { WorkDesk } from '../commands/registry.js';
import {
  type ClientToServer,
  NAMESPACE,
  type ServerToClient,
  SOCKET_PATH,
} from '../events.js';
import { answerCommand, tooFast } from './answer-command.js';
import { Outlet } from './broadcaster.js';
import { type DashboardSocket, Member } from './connection.js';
import { SocketPlaces } from './connection-limit.js';
import { allowRequest, sessionOf } from './handshake.js';
import { eventBounds } from './read-events.js';

const OPTIONS = {
  path: SOCKET_PATH,
  transports: ['websocket' as const],
  serveClient: false,
  allowEIO3: false,
  perMessageDeflate: false,
  connectTimeout: 5000,
  maxHttpBufferSize: 65_536,
};

/**
 * Dashboards' live data and commands (spec/operators.md §3 and §4): namespace
 * `/admin`, websockets only, at `/admin/socket.io`. Plain requests never
 * reach it.
 */
export class AdminSocket {
  private readonly io: Server<ClientToServer, ServerToClient>;
  private readonly outlet: Outlet;
  private readonly desk: WorkDesk;
  private readonly upgraded = new Set<Duplex>();
  private stopped = false;

  constructor(
    private readonly ctx: Context,
    peers: PeerDesk | null,
  ) {
    this.desk = { ...ctx, peers };
    this.outlet = new Outlet(ctx);
    this.io = new Server({
      ...OPTIONS,
      allowRequest: allowRequest(ctx, new SocketPlaces()),
    });
    this.io.of('/').use((_socket, next) => next(new Error('not found')));
    this.io.of(NAMESPACE).on('connection', (socket: DashboardSocket) => {
      socket.on('error', () => {}); // what a stranger sent is no crash
      this.welcome(socket).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'a dashboard could not be welcomed');
        socket.disconnect(true);
      });
    });
  }

  /** Takes the upgrades of its path from a server that answers requests. */
  attach(server: HttpServer): void {
    const shell = createServer();
    this.io.attach(shell);
    // The app says why one that has no network is refused.
    const isWanted = (req: IncomingMessage) =>
      isSocketPath(req) && !isUnnamed(req, this.ctx.trustedProxies);
    takeUpgrades(server, isWanted, (req, socket, head) => {
      if (this.stopped) return void socket.destroy();
      this.upgraded.add(socket);
      socket.once('close', () => this.upgraded.delete(socket));
      shell.emit('upgrade', req, socket, head);
    });
  }

  start(): void {
    this.outlet.start();
  }

  /** No farewell is waited for: a server is closed when its sockets are. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.io.of(NAMESPACE).disconnectSockets(true);
    for (const socket of this.upgraded) socket.destroy();
    await this.outlet.stop();
  }

  /** Its cursor is checked first; what happens meanwhile comes after. */
  private async welcome(socket: DashboardSocket): Promise<void> {
    const session = sessionOf(socket.request);
    if (session === null) return void socket.disconnect(true);
    const member = new Member(socket, session.sessionId, 0);
    socket.on('command', (request, reply) => {
      void this.answer(member, request, reply);
    });
    const asked: unknown = socket.handshake.auth.cursor;
    // A snapshot holds what was noted before it: that is not told once more.
    await this.outlet.number();
    const { last, oldest } = await eventBounds(this.ctx.writes);
    if (isCursor(asked) && asked >= oldest && asked <= last) {
      member.cursor = asked;
    } else {
      member.cursor = last;
      const overview = await readOverview(this.desk, this.desk.peers);
      socket.emit('snapshot', { seq: last, at: overview.at, overview });
    }
    if (!socket.connected) return;
    socket.on('disconnect', () => this.outlet.members.delete(member));
    this.outlet.members.add(member);
    this.outlet.wake();
  }

  private async answer(
    member: Member,
    request: unknown,
    reply: unknown,
  ): Promise<void> {
    if (typeof reply !== 'function') return;
    const { cookie } = member.socket.request.headers;
    const answer = member.isTooFast(performance.now())
      ? tooFast(1)
      : await answerCommand(this.ctx, this.desk, cookie, request);
    reply(answer);
  }
}

function isSocketPath({ url }: IncomingMessage): boolean {
  const path = url?.split('?')[0];
  return path === SOCKET_PATH || path === `${SOCKET_PATH}/`;
}

function isCursor(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
