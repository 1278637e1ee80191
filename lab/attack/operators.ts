import { io } from 'socket.io-client';
import { totpCode } from '../../server/dashboard/auth/totp.js';
import { ACTIONS } from '../../server/dashboard/router.js';
import {
  NAMESPACE,
  SOCKET_PATH,
} from '../../server/dashboard/schemas/events.js';
import { fromBase32, PASSPHRASE } from '../../test/admin/access-browser.js';
import { HOSTILE } from './hostile.js';
import {
  type Answer,
  type Asked,
  type AttackClass,
  answered,
  freshAddress,
  is,
  type Target,
  type Try,
} from './target.js';

const UUID = '11111111-1111-4111-8111-111111111111';
const pathOf = (path: string): string =>
  `/admin/api${path.replace(/:(?:id|session)/g, UUID).replace(/:\w+/g, 'x')}`;

/** The first operator, who came in by the printed link. */
export class Admin {
  cookies: string[] = [];

  constructor(
    readonly target: Target,
    readonly origin: string,
    readonly secret: string,
  ) {}

  static async enter(target: Target): Promise<Admin> {
    const link = new URL(target.setUpLink ?? '');
    const code = link.hash.slice(1);
    const nobody = new Admin(target, link.origin, '');
    const offer = await nobody.post('/setup/totp', { code });
    const { secret, token } = offer.json as Record<string, string>;
    if (secret === undefined) throw new Error(`set-up: ${offer.text}`);
    const admin = new Admin(target, link.origin, secret);
    const made = await admin.post('/setup/passphrase', {
      code,
      name: 'root',
      passphrase: PASSPHRASE,
      totp_token: token,
      totp: admin.code(),
    });
    if (made.status !== 201) throw new Error(`set-up: ${made.text}`);
    admin.keep(made);
    return admin;
  }

  /** The code of now, or of so many steps of 30 s later. */
  code(steps = 0): string {
    const step = Math.floor(Date.now() / 30_000) + steps;
    return totpCode(fromBase32(this.secret), step);
  }

  keep({ headers }: Answer): void {
    const lines = headers['set-cookie'] ?? [];
    this.cookies = lines.map((line) => line.split(';')[0] ?? '');
  }

  headers(others: Record<string, string> = {}): Record<string, string> {
    return {
      Host: new URL(this.origin).host,
      Origin: this.origin,
      'Content-Type': 'application/json',
      ...(this.cookies.length > 0 ? { Cookie: this.cookies.join('; ') } : {}),
      ...others,
    };
  }

  async post(path: string, body: object, asked: Asked = {}): Promise<Answer> {
    const headers = { ...this.headers(), ...asked.headers };
    return await this.target.ask(`/admin/api${path}`, {
      ...asked,
      body,
      headers,
    });
  }

  async do(name: string, input: object): Promise<Answer> {
    return await this.post(`/do/${name}`, input);
  }
}

/** Every address of the dashboard, by nobody. */
export function withoutSession(target: Target, origin: string): AttackClass {
  const headers = { Origin: origin, Host: new URL(origin).host };
  const tries = ACTIONS.filter(({ least }) => least !== 'anyone').map(
    ({ method, path }): Try => {
      const body = method === 'POST' ? { body: {} } : {};
      const asked = { ...body, headers, from: 'fresh' };
      return answered(
        target,
        `${method} ${path}`,
        pathOf(path),
        asked,
        is(401),
      );
    },
  );
  return { name: 'the dashboard without a session', tries };
}

function socketWith(admin: Admin, headers: Record<string, string>) {
  return io(`${admin.target.origin}${NAMESPACE}`, {
    path: SOCKET_PATH,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
  });
}

function refusedSocket(
  admin: Admin,
  headers: Record<string, string>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = socketWith(admin, headers);
    const end = (what: string | null) => {
      socket.disconnect();
      resolve(what);
    };
    socket.once('connect', () => end('it was let in'));
    socket.once('connect_error', () => end(null));
  });
}

/** Sends one frame that no client would send; the board has to live on. */
function frame(admin: Admin, packet: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = socketWith(admin, admin.headers());
    const { engine } = socket.io as unknown as {
      engine: { write(data: string): void };
    };
    const look = async () => {
      const well = await admin.target.isWell();
      socket.disconnect();
      resolve(well ? null : 'the board does not answer');
    };
    socket.once('connect_error', ({ message }) => resolve(message));
    socket.once('connect', () => {
      socket.io.engine.once('close', look);
      engine.write(packet);
      socket.emit('command', { name: 'overview.read', input: {} }, look);
    });
  });
}

/** What the owner of a session, or of a copy of one, might do wrong. */
export function sessions(admin: Admin): AttackClass {
  const { target } = admin;
  const { origins, frames } = HOSTILE.operators;
  const own = admin.headers();
  const cookie = own.Cookie ?? '';
  const cookies = {
    'a cookie cut short': cookie.replace(/.(?=;|$)/, ''),
    'a cookie sent twice': `${cookie}; ${cookie}`,
    'a cookie of zeros': cookie.replace(/=[^;]*/g, `=${'A'.repeat(43)}`),
    'a cookie in capitals': cookie.toUpperCase(),
    'no cookie': '',
  };
  const trail = (what: string, headers: Record<string, string>) =>
    answered(target, what, '/admin/api/audit', { headers }, is(401));
  const socket = (what: string, headers: Record<string, string>): Try => ({
    what: `a socket ${what}`,
    run: () => refusedSocket(admin, headers),
  });
  const tries: Try[] = [
    ...origins.flatMap((origin) => {
      const headers = { ...own, Origin: origin };
      const asked = { body: { name: 'mallory', role: 'admin' }, headers };
      const path = '/admin/api/operators/invite';
      const what = `a command from ${origin}`;
      return [
        answered(target, what, path, asked, is(403)),
        socket(`from ${origin}`, headers),
      ];
    }),
    ...Object.entries(cookies).flatMap(([what, forged]) => {
      const headers = { ...own, Cookie: forged };
      return [trail(what, headers), socket(`with ${what}`, headers)];
    }),
    ...frames.map((packet) => ({
      what: `the frame ${JSON.stringify(packet.slice(0, 40))}`,
      run: () => frame(admin, packet),
    })),
    {
      what: 'a code that was used, at the next sign-in',
      run: async () => {
        const totp = admin.code(1);
        const body = { name: 'root', passphrase: PASSPHRASE, totp };
        const one = await admin.post('/sign-in/passphrase', body);
        if (one.status === 200) admin.keep(one);
        const two = await admin.post('/sign-in/passphrase', body);
        return two.status === 401 ? null : `it was answered ${two.status}`;
      },
    },
    trail('the session of before a sign-in', own),
  ];
  return { name: 'sessions, codes, origins, sockets, frames', tries };
}

/** Guesses of many networks while the operator's own device signs in (F2). */
export function floods(admin: Admin): AttackClass {
  const guess = (path: string, body: object, from: string) =>
    new Admin(admin.target, admin.origin, '').post(path, body, { from });
  const flood = async (
    path: string,
    count: number,
    least: number,
    body: (n: number) => object,
  ) => {
    const addresses = Array.from({ length: 20 }, freshAddress);
    const all = addresses.flatMap((from) =>
      Array.from({ length: count }, (_, n) => guess(path, body(n), from)),
    );
    const began = performance.now();
    const own = await admin.target.ask('/admin/api/access', {
      headers: admin.headers(),
    });
    const took = performance.now() - began;
    const answers = await Promise.all(all);
    const errors = answers.filter(({ status }) => status >= 500);
    const limited = answers.filter(({ status }) => status === 429);
    if (errors.length > 0) return `${errors.length} answers were 5xx`;
    if (limited.length < 20 * least)
      return `only ${limited.length} were refused`;
    return own.status === 200 && took < 20_000
      ? null
      : `the operator was answered ${own.status} after ${Math.round(took)} ms`;
  };
  const flooded = (
    what: string,
    path: string,
    count: number,
    least: number,
    body: (n: number) => object,
  ): Try => ({
    what: `${what}, 20 networks × ${count}`,
    run: () => flood(path, count, least, body),
  });
  const wrong = { passphrase: 'wrong horse battery', totp: '000000' };
  const code = 'aaaaa-aaaaa-aaaaa-aaaaa';
  return {
    name: 'floods of sign-ins',
    tries: [
      flooded('invented names', '/sign-in/passphrase', 40, 10, (n) => ({
        ...{ name: `n${n}`, ...wrong },
      })),
      flooded('recovery codes', '/sign-in/recovery', 40, 10, () => ({
        ...{ name: 'root', code },
      })),
      flooded('set-up codes', '/setup/look', 80, 15, () => ({
        code: 'A'.repeat(43),
      })),
    ],
  };
}
