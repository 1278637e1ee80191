import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { Mailer, mailWay } from '../../server/dashboard/notifications/mail.js';

const MAIL = { to: 'op@board.example', subject: 'S', text: 'T', id: 'a' };

/** A mail server that notes each sign-in: over TLS or in the clear. */
async function given(options: SMTPServerOptions) {
  const signedIn: boolean[] = [];
  const server = new SMTPServer({
    ...{ disableReverseLookup: true, logger: false, allowInsecureAuth: true },
    ...options,
    onAuth: (_auth, { secure }, done) => {
      signedIn.push(secure);
      done(null, { user: 'u' });
    },
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on('end', () => done());
    },
  });
  server.on('error', () => {});
  await once(server.listen(0), 'listening');
  const { port } = server.server.address() as AddressInfo;
  return { server, port, signedIn };
}

describe('the password of SMTP_URL', () => {
  const servers: SMTPServer[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function send(host: string, options: SMTPServerOptions) {
    const { server, port, signedIn } = await given(options);
    servers.push(server);
    const url = `smtp://user:pass@${host}:${port}`;
    const at = { baseUrl: 'https://board.example', smtpFrom: null };
    const mailer = new Mailer(url, at);
    const error = await mailer.send(MAIL, new AbortController().signal).then(
      () => null,
      (thrown: Error) => thrown,
    );
    return { error, signedIn };
  }
  const NO_TLS = { disabledCommands: ['STARTTLS'] };
  // Another name of this machine, which is no loopback address.
  const ELSEWHERE = '0.0.0.0';

  it('goes to no server that offers no TLS', async () => {
    const { error, signedIn } = await send(ELSEWHERE, NO_TLS);
    expect(error).to.be.an('error');
    expect(signedIn).to.deep.equal([]);
  });

  it('goes to no server whose certificate is not of its name', async () => {
    const { error, signedIn } = await send(ELSEWHERE, {});
    expect(error).to.be.an('error');
    expect(signedIn).to.deep.equal([]);
  });

  for (const host of ['127.0.0.1', 'localhost', 'LocalHost']) {
    it(`goes to a server of this machine (${host}) as it is`, async () => {
      const { error, signedIn } = await send(host, NO_TLS);
      expect(error).to.equal(null);
      expect(signedIn).to.deep.equal([false]);
    });
  }

  it('is in no line that says how mail is sent', () => {
    const ways: [url: string, way: string][] = [
      ['smtps://u:secret@m.example', 'm.example, by TLS'],
      ['smtp://u:secret@m.example:587', 'm.example:587, by STARTTLS only'],
      ['smtp://:secret@m.example', 'm.example, by STARTTLS only'],
      ['smtp://u:secret@[::1]:25', '[::1]:25, by STARTTLS where'],
      ['smtp://m.example', 'm.example, by STARTTLS where'],
    ];
    for (const [url, way] of ways) {
      expect(mailWay(url).startsWith(way), mailWay(url)).to.equal(true);
      expect(mailWay(url)).not.to.include('secret');
    }
  });
});
