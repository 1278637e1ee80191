import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import { Mailer, mailWay } from '../../server/dashboard/notifications/mail.js';
import {
  NotificationChannel,
  NotificationDelivery,
} from '../../server/db/entities/notification.js';
import { Operator } from '../../server/db/entities/operator.js';
import { Peer } from '../../server/db/entities/peer.js';
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../../server/db/states.js';
import { clearAlert, raiseAlert } from '../../server/operations/alerts.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { freePort } from '../support/free-port.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import { Dashboard } from './dashboard.js';
import { done, operator, type SignedInOperator } from './operators.js';

type ReceivedMail = { to: string[]; text: string };

class MailServer {
  readonly received: ReceivedMail[] = [];
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

const MINUTE_MS = 60_000;
const ALL: NotificationKind[] = [...NOTIFICATION_KINDS];

describe('Notifications', () => {
  let mail: MailServer;
  let port: number;
  let test: TestBoard;
  let viewer: SignedInOperator;
  let reporters = 0;

  before(async () => {
    port = await freePort();
    test = await startBoard({
      lifted: true,
      env: { SMTP_URL: `smtp://127.0.0.1:${port}` },
    });
    await publish(test, { title: 'Zebra', body: 'quokka', name: 'Wombat' });
  });
  after(() => test.stop());
  beforeEach(async () => {
    mail = await MailServer.start(port);
    viewer = await operator(test, 'viewer');
  });
  afterEach(async () => {
    await mail.stop();
    await rows(test).deleteAll(NotificationChannel);
  });

  const email = (more: object = {}) =>
    done<CommandAnswers['notification.save']>(
      viewer.ask('notification.save', {
        ...{ way: 'email', kinds: ALL, address: 'op@board.example' },
        ...more,
      }),
    );
  const reported = async (more: object = {}) => {
    reporters += 1;
    const from = network(700 + reporters);
    await send(test, report(more), from).expect(201);
  };
  const run = async (ms = MINUTE_MS) => {
    test.clock.advance(ms);
    const { notificationJobs } = test.board.background;
    expect(await notificationJobs.runOnce('notifications')).to.equal('ran');
  };
  const texts = () => mail.received.map(({ text }) => text).join('\n');

  it('tell of each kind of event once, with a link and no content', async () => {
    await run(); // what was before
    await email();
    const { writes } = test.board.context;
    await reported({ detail: 'platypus' });
    await reported({ kind: 'appeal', detail: 'platypus' });
    const alert = (kind: 'disk_low' | 'backup_unverified') =>
      ({ kind, subject: 'board', detail: 'platypus' }) as const;
    await raiseAlert(writes, alert('disk_low'), test.clock.now());
    await raiseAlert(writes, alert('backup_unverified'), test.clock.now());
    await writes.transaction(async (tx) => {
      const at = test.clock.now();
      await tx.manager.insert(Peer, {
        ...{ originId: 77, name: 'platypus.example', origin: 'platypus/log' },
        ...{
          baseUrl: 'https://platypus.example',
          logVkey: 'v',
          mirrorVkey: 'v',
        },
        ...{ nodeVkey: 'v', identity: 'i', identitySeq: 1, addedAt: at },
        ...{ confirmedAt: at, status: 'quarantined', statusAt: at },
        trust: 'mirror',
      });
      await tx.query(
        `INSERT INTO admin_pending (kind, payload) VALUES ('peer', $1)`,
        [
          '{"name": "platypus.example", "status": "quarantined", "error": null}',
        ],
      );
    });
    await run();
    for (const line of [
      ...[/A new report, .*\nhttp:\/\/board.test\/admin\/item\/message:1\n/],
      ...[/A new appeal, /, /An alert \(disk low\), /],
      ...[
        /A linked board was quarantined, .*\nhttp:\/\/board.test\/admin\/mesh\n/,
      ],
      ...[/No verified backup.*\nhttp:\/\/board.test\/admin\/system\n/],
    ]) {
      expect(texts()).to.match(line);
    }
    expect(texts()).not.to.match(/zebra|quokka|wombat|platypus/i);
    // The same again is nothing new; an alert that came back is.
    const { length } = mail.received;
    await raiseAlert(writes, alert('disk_low'), test.clock.now());
    await run();
    expect(mail.received).to.have.length(length);
    await clearAlert(writes, alert('disk_low'), test.clock.now());
    await raiseAlert(writes, alert('disk_low'), test.clock.now() + 1);
    await run();
    expect(mail.received).to.have.length(length + 1);
  });

  it('tell open dashboards, too', async () => {
    const { cookie } = viewer;
    const dashboard = await new Dashboard(test, { cookie }).settled();
    await reported();
    await run();
    await until('the event', () => dashboard.of('notification').length > 0);
    expect(dashboard.of('notification')[0]).to.include({
      ...{ notified_of: 'report', page: '/item/message:1' },
    });
    dashboard.close();
  });

  it('are no flood, however many reports come', async () => {
    await run();
    mail.received.length = 0;
    await email();
    for (let n = 0; n < 3; n += 1) {
      for (let each = 0; each < 5; each += 1) await reported();
      await run(15_000);
    }
    // The first at once, all others together a minute later.
    expect(mail.received).to.have.length(1);
    await run();
    expect(mail.received).to.have.length(2);
    expect(texts())
      .to.match(/5 notifications/)
      .and.to.match(/10 notifications/);
  });

  it('are tried again while no mail server is there', async () => {
    await run();
    await mail.stop();
    await email();
    await reported();
    await run();
    const list = async () =>
      (
        await done<CommandAnswers['notification.deliveries']>(
          viewer.ask('notification.deliveries', {}),
        )
      ).data[0];
    const failed = await list();
    expect(failed).to.include({ state: 'waiting', attempts: 1 });
    expect(failed?.error).to.match(/^smtp_/);
    mail = await MailServer.start(port);
    await run();
    expect(await list()).to.include({
      state: 'sent',
      attempts: 2,
      error: null,
    });
    expect(mail.received[0]?.text).to.include(
      `Message-ID: <${failed?.id}@board.test>`,
    );
    mail.refuse = true;
    test.clock.advance(MINUTE_MS);
    await reported();
    await run();
    expect((await list())?.error).to.equal('smtp_550');
  });

  it('go to one plain address alone', async () => {
    for (const address of [
      ...['a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example'],
      ...['"x" <a@b.example>', 'a@b.example\0', 'nobody', '', '@b.example'],
    ]) {
      const { status } = await viewer.ask('notification.save', {
        ...{ way: 'email', kinds: ALL, address },
      });
      expect(status, JSON.stringify(address)).to.equal(400);
    }
    await email({ address: 'x+y@board.example' });
    await run();
    mail.received.length = 0;
    await reported();
    await run();
    expect(mail.received.map(({ to }) => to)).to.deep.equal([
      ['x+y@board.example'],
    ]);
  });

  it('end with the account that they are for', async () => {
    await run();
    mail.received.length = 0;
    const { id } = await email();
    await reported();
    await rows(test).update(Operator, viewer.id, { state: 'disabled' });
    await run();
    await rows(test).insert(NotificationDelivery, {
      ...{ id: randomUUID(), channelId: id, items: [], total: 0, test: true },
      ...{ state: 'waiting', attempts: 0, error: null, sentAt: null },
      ...{ createdAt: test.clock.now(), dueAt: test.clock.now() },
    });
    await run();
    expect(mail.received).to.deep.equal([]);
    const sent = await rows(test).findBy(NotificationDelivery, {
      channelId: id,
    });
    expect(sent.map(({ state, error }) => [state, error])).to.deep.equal([
      ['dead', 'operator_has_no_right'],
    ]);
  });
});

const MAIL = { to: 'op@board.example', subject: 'S', text: 'T', id: 'a' };

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
