import { totpCode } from '../../server/dashboard/auth/totp.js';
import { fromBase32, PASSPHRASE } from '../../test/admin/access-browser.js';
import type { Answer, Target } from './target.js';

/** The first operator, who came in by the printed link. */
export class Admin {
  private cookie = '';

  private constructor(
    readonly target: Target,
    private readonly origin: string,
  ) {}

  static async enter(target: Target, setUpLink: string): Promise<Admin> {
    const link = new URL(setUpLink);
    const code = link.hash.slice(1);
    const admin = new Admin(target, link.origin);
    const offer = await admin.post('/setup/totp', { code });
    const { secret, token } = offer.json as Record<string, string>;
    if (secret === undefined) throw new Error(`set-up: ${offer.text}`);
    const step = Math.floor(Date.now() / 30_000);
    const made = await admin.post('/setup/passphrase', {
      code,
      name: 'root',
      passphrase: PASSPHRASE,
      totp_token: token,
      totp: totpCode(fromBase32(secret), step),
    });
    if (made.status !== 201) throw new Error(`set-up: ${made.text}`);
    const lines = made.headers['set-cookie'] ?? [];
    admin.cookie = lines.map((line) => line.split(';')[0]).join('; ');
    return admin;
  }

  private async post(path: string, body: object): Promise<Answer> {
    const headers = {
      Host: new URL(this.origin).host,
      Origin: this.origin,
      'Content-Type': 'application/json',
      ...(this.cookie === '' ? {} : { Cookie: this.cookie }),
    };
    return await this.target.ask(`/admin/api${path}`, { body, headers });
  }

  async do(name: string, input: object): Promise<Answer> {
    return await this.post(`/do/${name}`, input);
  }
}
