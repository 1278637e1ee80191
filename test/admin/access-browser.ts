import type { Response, Test } from 'supertest';
import { totpCode } from '../../server/dashboard/auth/totp.js';
import type { TestBoard } from '../support/board.js';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const PASSPHRASE = 'violet tractor pancake orbit';

export class Browser {
  /** `name=token` of the session, as the browser would send it. */
  cookie: string | null = null;
  /** The same of the device, which stays when the session ends. */
  device: string | null = null;

  constructor(
    readonly test: TestBoard,
    readonly options: { origin?: string; network?: string } = {},
  ) {}

  get origin(): string {
    return this.options.origin ?? this.test.board.context.config.baseUrl;
  }

  private dressed(request: Test): Test {
    const { host } = new URL(this.origin);
    request.set('Host', host);
    const cookies = [this.cookie, this.device].filter((it) => it !== null);
    return cookies.length === 0
      ? request
      : request.set('Cookie', cookies.join('; '));
  }

  async get(path: string): Promise<Response> {
    const agent = this.test.as(this.options.network);
    return this.kept(await this.dressed(agent.get(`/admin/api${path}`)));
  }

  async post(path: string, body: object = {}): Promise<Response> {
    const agent = this.test.as(this.options.network);
    const request = agent.post(`/admin/api${path}`);
    return this.kept(
      await this.dressed(request).set('Origin', this.origin).send(body),
    );
  }

  /** Keeps a cookie as browsers do; one that is taken back is forgotten. */
  private kept(response: Response): Response {
    const lines: unknown = response.headers['set-cookie'];
    for (const line of Array.isArray(lines) ? lines.map(String) : []) {
      const pair = /^[^=]+=[^;]*/.exec(line)?.[0] ?? '';
      const kept = /=./.test(pair) ? pair : null;
      if (pair.includes('reserve-device')) this.device = kept;
      else this.cookie = kept;
    }
    return response;
  }
}

/** The bytes of a secret as authenticator apps read it. */
/** Whether its session is open. */
export async function works(browser: Browser): Promise<boolean> {
  const { status } = await browser.get('/sessions');
  expect(status).to.be.oneOf([200, 401]);
  return status === 200;
}

export function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const eights = bits.match(/.{8}/g) ?? [];
  return Buffer.from(eights.map((eight) => Number.parseInt(eight, 2)));
}

export function codeOf({ clock }: TestBoard, secret: string): string {
  return totpCode(fromBase32(secret), Math.floor(clock.now() / 30_000));
}

export function codeIn(link: string): string {
  return new URL(link).hash.slice(1);
}

export type SetUp = {
  browser: Browser;
  secret: string;
  passphrase: string;
  recoveryCodes: string[];
  operator: { id: string; name: string; alias: string; role: string };
};

export async function setUp(
  browser: Browser,
  code: string,
  chosen: { name?: string; alias?: string } = {},
): Promise<SetUp> {
  const offered = await browser.post('/setup/totp', { code });
  if (offered.status !== 200) throw new Error(offered.text);
  const { secret, token } = offered.body as { secret: string; token: string };
  const response = await browser.post('/setup/passphrase', {
    code,
    ...chosen,
    passphrase: PASSPHRASE,
    totp_token: token,
    totp: codeOf(browser.test, secret),
  });
  if (response.status !== 201) throw new Error(response.text);
  return {
    browser,
    secret,
    passphrase: PASSPHRASE,
    recoveryCodes: response.body.recovery_codes,
    operator: response.body.operator,
  };
}
