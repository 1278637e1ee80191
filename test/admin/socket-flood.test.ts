import { connect, type Socket } from 'node:net';
import { WebSocket } from 'undici';
import { SOCKET_PATH } from '../../server/dashboard/live/events.js';
import { BASE_URL, type TestBoard } from '../support/board.js';
import { until } from '../support/until.js';
import { givenDashboards } from './dashboard.js';

const JOIN = '40/admin,';
const LEAVE = '41/admin,';
const JOINED = /^40\/admin,/;
const SNAPSHOT = /^42\/admin,\["snapshot"/;

class Raw {
  readonly told: string[] = [];
  closed = false;
  ready = false;
  private readonly socket: WebSocket;

  constructor({ url }: TestBoard, cookie: string | null, more = '') {
    const at = `${url.replace(/^http/, 'ws')}${SOCKET_PATH}/`;
    const headers = {
      Origin: BASE_URL,
      ...(cookie === null ? {} : { Cookie: cookie }),
    };
    const address = `${at}?EIO=4&transport=websocket${more}`;
    this.socket = new WebSocket(address, { headers });
    this.socket.addEventListener('message', ({ data }) => {
      this.told.push(String(data));
    });
    this.socket.addEventListener('open', () => {
      this.ready = true;
    });
    this.socket.addEventListener('close', () => {
      this.closed = true;
    });
  }

  send(...packets: string[]): void {
    for (const packet of packets) this.socket.send(packet);
  }

  of(kind: RegExp): string[] {
    return this.told.filter((packet) => kind.test(packet));
  }

  async opened(): Promise<string> {
    await until('it is open or closed', () => {
      return this.closed || this.told.length > 0;
    });
    const [first = '0{}'] = this.told;
    return String((JSON.parse(first.slice(1)) as { sid?: string }).sid);
  }

  close(): void {
    this.socket.close();
  }
}

describe('One connection of a dashboard', () => {
  const { test, moderator, open } = givenDashboards();

  function raw(by: string | null = moderator.cookie, more = ''): Raw {
    const made = new Raw(test, by, more);
    open.push(made);
    return made;
  }

  it('is one dashboard, however often it joins at once', async () => {
    const made = raw();
    await made.opened();
    made.send(...Array(10).fill(JOIN));
    await until('it is closed', () => made.closed);
    expect(made.of(SNAPSHOT).length).to.be.at.most(1);
    expect(made.of(JOINED).length).to.be.at.most(1);
  });

  it('ends when it leaves and joins again', async () => {
    const made = raw();
    await made.opened();
    made.send(JOIN);
    await until('a snapshot', () => made.of(SNAPSHOT).length === 1);
    made.send(LEAVE);
    // It was read when what came after it is answered.
    await test.as().get('/healthz').expect(200);
    made.send(JOIN);
    await until('it is closed', () => made.closed);
    expect(made.of(SNAPSHOT)).to.have.length(1);
    expect(made.of(JOINED)).to.have.length(1);
  });

  it('is taken over by no other, of its session or of nobody', async () => {
    const made = raw();
    const sid = await made.opened();
    made.send(JOIN);
    await until('a snapshot', () => made.of(SNAPSHOT).length === 1);
    for (const by of [moderator.cookie, null]) {
      for (const more of [`&sid=${sid}`, `&%73id=${sid}`, '&sid=', '&sid=x']) {
        const other = raw(by, more);
        await until('it is answered', () => other.closed || other.ready);
        expect(other.ready, `${by} ${more}`).to.equal(false);
      }
    }
    expect(made.closed).to.equal(false);
  });

  it('ends when it reads none of its answers', async () => {
    const { socket } = await unread(test, moderator.cookie);
    open.push({ close: () => socket.destroy() });
    let ended = false;
    socket.on('close', () => {
      ended = true;
    });
    socket.on('error', () => {});
    const asked = frame(
      `42/admin,1["command",${JSON.stringify({ name: 'x' })}]`,
    );
    const many = Buffer.concat(Array(1000).fill(asked));
    const next = () => {
      if (ended) return;
      socket.write(many, () => setImmediate(next));
    };
    next();
    await until(
      'it is closed',
      () => ended || socket.bytesWritten > MOST_ASKED,
    );
    expect(ended, 'it was closed').to.equal(true);
    expect((await test.as().get('/healthz')).status).to.equal(200);
  });
});

/** More than the board, and the system for it, keep unread. */
const MOST_ASKED = 32 * 2 ** 20;

async function unread({ url }: TestBoard, cookie: string) {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(
    [
      `GET ${SOCKET_PATH}/?EIO=4&transport=websocket HTTP/1.1`,
      ...[`Host: ${hostname}`, `Origin: ${BASE_URL}`, `Cookie: ${cookie}`],
      ...['Connection: Upgrade', 'Upgrade: websocket'],
      ...['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${KEY}`, '', ''],
    ].join('\r\n'),
  );
  let told = '';
  socket.on('data', (bytes: Buffer) => {
    told += bytes.toString('latin1');
  });
  await until('it is open', () => told.includes('"sid"'));
  socket.write(frame(JOIN));
  await until('a snapshot', () => told.includes('["snapshot"'));
  // Nothing is read from here on.
  socket.pause();
  return { socket };
}

/** Masked with zeros, and shorter than 126 bytes. */
function frame(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const head = Buffer.of(0x81, 0x80 | bytes.length, 0, 0, 0, 0);
  return Buffer.concat([head, bytes]);
}

const KEY = Buffer.alloc(16).toString('base64');
