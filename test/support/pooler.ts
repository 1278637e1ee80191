import { once } from 'node:events';
import net from 'node:net';

/** What PgBouncer takes at the start of a connection unless told otherwise. */
const TAKEN = new Set([
  'user',
  'database',
  'client_encoding',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
  'application_name',
]);
const STARTUP_HEAD = 8;
const IDLE = 'I'.charCodeAt(0);

/** A connection to PostgreSQL that clients are given by turns. */
type Backend = {
  socket: net.Socket;
  /** What PostgreSQL says first, up to its ReadyForQuery. */
  greeting: Buffer[];
  /** Takes what PostgreSQL says. */
  take: (message: Buffer) => void;
};

export type Pooler = { url: string; stop(): Promise<void> };

/**
 * As much of a connection pooler as tests need: like PgBouncer it refuses
 * settings at the start of a connection, and in transaction mode it gives a
 * client the connection to PostgreSQL that was used last, until its
 * transaction has ended.
 */
export async function startPooler(
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<Pooler> {
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket) => {
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    sockets.add(socket);
    return socket;
  };
  const toServer = () => keep(net.connect(placeOf(databaseUrl)));
  const idle: Backend[] = [];
  const server = net.createServer(async (client) => {
    const [startup] = (await once(keep(client), 'data')) as [Buffer];
    const refused = parametersOf(startup).find((name) => !TAKEN.has(name));
    if (refused !== undefined) client.end(refusal(refused));
    else if (mode === 'session') inSession(client, toServer(), startup);
    else
      await inTransactions(client, idle, () =>
        openBackend(toServer(), startup),
      );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  const url = new URL(databaseUrl);
  url.searchParams.set('host', '127.0.0.1');
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function placeOf(databaseUrl: string): net.NetConnectOpts {
  const { searchParams, hostname, port } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? hostname;
  return host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${port || 5432}` }
    : { host, port: Number(port || 5432) };
}

/** Names of `name\0value\0…\0` behind length and version. */
function parametersOf(startup: Buffer): string[] {
  const words = startup.subarray(STARTUP_HEAD).toString().split('\0');
  return words.filter((name, at) => at % 2 === 0 && name !== '');
}

function refusal(name: string): Buffer {
  const fields = [
    'SFATAL',
    'C08P01',
    `Munsupported startup parameter: ${name}`,
  ];
  const text = Buffer.from(`${fields.join('\0')}\0\0`);
  const head = Buffer.from('E....');
  head.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([head, text]);
}

function inSession(client: net.Socket, backend: net.Socket, startup: Buffer) {
  backend.write(startup);
  client.pipe(backend).pipe(client);
}

/** Calls `take` with each whole message of a type and a length. */
function eachMessage(socket: net.Socket, take: (message: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1);
      if (rest.length < end) return;
      take(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  });
}

const typeOf = (message: Buffer) => String.fromCharCode(message[0] ?? 0);

async function openBackend(
  socket: net.Socket,
  startup: Buffer,
): Promise<Backend> {
  const backend: Backend = { socket, greeting: [], take: () => {} };
  const greeted = new Promise<void>((resolve) => {
    backend.take = (message) => {
      backend.greeting.push(message);
      if (typeOf(message) === 'Z') resolve();
    };
  });
  eachMessage(socket, (message) => backend.take(message));
  socket.write(startup);
  await greeted;
  return backend;
}

/** Gives the client a backend from the first message of each transaction on. */
async function inTransactions(
  client: net.Socket,
  idle: Backend[],
  open: () => Promise<Backend>,
) {
  let own: Backend | null = null;
  let owed = 0;
  const begin = async () => {
    const backend = idle.pop() ?? (await open());
    backend.take = (message) => {
      client.write(message);
      if (typeOf(message) !== 'Z') return;
      owed -= 1;
      if (owed > 0 || message.at(-1) !== IDLE) return;
      own = null;
      idle.push(backend);
    };
    return backend;
  };
  const send = async (message: Buffer) => {
    if (typeOf(message) === 'X') {
      client.end();
      return;
    }
    own ??= await begin();
    if (/[QS]/.test(typeOf(message))) owed += 1;
    own.socket.write(message);
  };
  let turn: Promise<unknown> = Promise.resolve();
  eachMessage(client, (message) => {
    turn = turn.then(() => send(message));
  });
  const greeter = await begin();
  for (const message of greeter.greeting) client.write(message);
  idle.push(greeter);
}
