import { SMTPServer } from 'smtp-server';

export type ReceivedMail = { to: string[]; text: string };

/** A real SMTP server that keeps what it takes. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Whether it takes no mail for anybody. */
  refuse = false;
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo: (_address, _session, done) => {
      const refusal = Object.assign(new Error('no'), { responseCode: 550 });
      done(this.refuse ? refusal : undefined);
    },
    onData: (stream, { envelope }, done) => {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (some: string) => {
        text += some;
      });
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        this.received.push({ to, text: text.replaceAll('\r\n', '\n') });
        done();
      });
    },
  });

  static async start(port: number): Promise<MailServer> {
    const mail = new MailServer();
    await new Promise<void>((resolve) => {
      mail.server.listen(port, '127.0.0.1', resolve);
    });
    return mail;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(resolve);
    });
  }
}
