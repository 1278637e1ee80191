import { generateKeyPairSync, sign } from 'node:crypto';
import { expect } from 'chai';
import { isDerSignature } from '../../server/dashboard/auth/der-signature.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { Authenticator } from './access-authenticator.js';
import { Browser, codeIn } from './access-browser.js';
import { firstLink } from './access-link.js';

const HOME = 'https://board.example';
const MINUTE = 60_000;
/** Of each curve; one in 128 has a number that is a byte shorter. */
const SIGNATURES = 100;

type Answer = { response: Record<string, string> };

const framed = (head: number[], it: Buffer, ...tail: number[]) =>
  Buffer.concat([Buffer.from(head), it.subarray(2), Buffer.from(tail)]);

/** The same two numbers, as DER does not write them. */
const FORMS: Record<string, (it: Buffer) => Buffer> = {
  'a byte behind it': (it) => Buffer.concat([it, Buffer.of(1)]),
  'itself behind it': (it) => Buffer.concat([it, it]),
  'a length of two bytes': (it) => framed([0x30, 0x81, it.length - 2], it),
  'an open end': (it) => framed([0x30, 0x80], it, 0, 0),
  'a third number': (it) => framed([0x30, it.length + 1], it, 2, 1, 1),
  'another class': (it) => framed([0xb0, it.length - 2], it),
  'a length that is too short': (it) => framed([0x30, it.length - 3], it),
};

describe('signatures of passkeys', () => {
  let test: TestBoard;
  let key: Authenticator;

  before(async () => {
    test = await startBoard({ env: { BASE_URL: HOME } });
    key = new Authenticator(HOME);
    const browser = new Browser(test);
    const code = codeIn(await firstLink(test));
    const asked = await browser.post('/setup/passkey/options', { code });
    const response = key.create(asked.body.options);
    const made = { code, name: 'root', response };
    const { status, text } = await browser.post('/setup/passkey', made);
    expect(status, text).to.equal(201);
  });
  // The limits of attempts have tests of their own.
  beforeEach(() => test.clock.advance(16 * MINUTE));
  after(() => test.stop());

  async function signIn(form: (it: Buffer) => Buffer) {
    const browser = new Browser(test);
    const { body } = await browser.post('/sign-in/passkey/options');
    const { response, ...answer } = key.get(body.options) as Answer;
    const signature = form(Buffer.from(response.signature ?? '', 'base64url'));
    const changed = { ...response, signature: signature.toString('base64url') };
    const sent = { response: { ...answer, response: changed } };
    return { browser, ...(await browser.post('/sign-in/passkey', sent)) };
  }

  for (const [name, form] of Object.entries(FORMS)) {
    it(`open nothing with ${name}`, async () => {
      const { browser, status, text } = await signIn(form);
      expect(status, text).to.equal(401);
      expect([browser.cookie, browser.device]).to.deep.equal([null, null]);
      expect((await signIn((it) => it)).status, 'as it is').to.equal(200);
    });
  }

  for (const namedCurve of ['P-256', 'P-384']) {
    it(`of ${namedCurve} have one form for all numbers`, () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve });
      for (let n = 0; n < SIGNATURES; n += 1) {
        const bytes = sign('sha256', Buffer.from(`${n}`), privateKey);
        const shown = bytes.toString('hex');
        expect(isDerSignature(bytes), shown).to.equal(true);
        for (const [name, form] of Object.entries(FORMS)) {
          const changed = isDerSignature(form(bytes));
          expect(changed, `${name}: ${shown}`).to.equal(false);
        }
      }
    });
  }

  it('have no number that is negative, empty or longer than it has to be', () => {
    const of = (r: number[], s: number[]) =>
      Buffer.of(
        ...[0x30, r.length + s.length + 4, 2, r.length, ...r],
        ...[2, s.length, ...s],
      );
    for (const fine of [[1], [0x7f, 0xff], [0, 0x80], [0, 0xff, 1]]) {
      expect(isDerSignature(of(fine, [1])), String(fine)).to.equal(true);
      expect(isDerSignature(of([1], fine)), String(fine)).to.equal(true);
    }
    for (const wrong of [[], [0], [0x80], [0xff, 1], [0, 0x7f], [0, 0, 0x80]]) {
      expect(isDerSignature(of(wrong, [1])), String(wrong)).to.equal(false);
      expect(isDerSignature(of([1], wrong)), String(wrong)).to.equal(false);
    }
    expect(isDerSignature(Buffer.alloc(0))).to.equal(false);
  });
});
