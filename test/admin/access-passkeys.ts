import { expect } from 'chai';
import type { Response } from 'supertest';
import { OperatorPasskey } from '../../server/db/entities/operator.js';
import { startBoard } from '../support/board.js';
import { given } from '../support/hooks.js';
import { rows } from '../support/rows.js';
import { Authenticator, type Twist } from './access-authenticator.js';
import { Browser, codeIn } from './access-browser.js';
import { firstLink } from './access-link.js';

export const HOME = 'https://board.example';
export const EVIL = 'https://evil.example';
export const MINUTE = 60_000;

export type Answer = Record<string, unknown> & {
  id: string;
  response: Record<string, unknown>;
};
export type Change = (answer: Answer) => unknown;

type Enrolment = {
  browser?: Browser;
  device?: Authenticator;
  twist?: Twist;
  change?: Change;
  /** What else is asked, as the first operator's name. */
  more?: object;
};
type SignIn = Omit<Enrolment, 'more'>;
const same: Change = (it) => it;

export const parts =
  (more: object): Change =>
  (it) => ({ ...it, response: { ...it.response, ...more } });
export const client = (more: Record<string, unknown>): Twist => ({
  client: more,
});

export function givenPasskeys() {
  const { test, root, key } = given(async () => {
    const board = await startBoard({ env: { BASE_URL: HOME } });
    const [browser, device] = [new Browser(board), new Authenticator(HOME)];
    const code = codeIn(await firstLink(board));
    const more = { name: 'root', alias: 'Warden', label: 'my key' };
    const made = await enrolWith(code, { browser, device, more });
    expect(made.status, made.text).to.equal(201);
    return { test: board, root: browser, key: device, stop: board.stop };
  });
  // The limits of attempts have tests of their own.
  beforeEach(() => test.clock.advance(16 * MINUTE));

  const enrol = (code: string, options: Enrolment = {}) =>
    enrolWith(code, { browser: new Browser(test), ...options });

  async function signIn(options: SignIn = {}): Promise<[Response, Browser]> {
    const { browser = new Browser(test), device = key } = options;
    const { body } = await browser.post('/sign-in/passkey/options');
    const given = device.get(body.options, options.twist) as Answer;
    const response = (options.change ?? same)(given);
    return [await browser.post('/sign-in/passkey', { response }), browser];
  }

  const passkeys = () => rows(test).count(OperatorPasskey);
  return { test, root, key, enrol, signIn, passkeys };
}

async function enrolWith(
  code: string,
  { browser, ...options }: Enrolment & { browser: Browser },
): Promise<Response> {
  const { device = new Authenticator(browser.origin), more } = options;
  const asked = await browser.post('/setup/passkey/options', { code });
  const made = device.create(asked.body.options, options.twist) as Answer;
  const response = (options.change ?? same)(made);
  return await browser.post('/setup/passkey', { code, ...more, response });
}
