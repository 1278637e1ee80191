import type { Transporter } from 'nodemailer';
import type { Config } from '../../config.js';

const CONNECT_MS = 3000;
const ANSWER_MS = 8000;

export type Mail = {
  to: string;
  subject: string;
  text: string;
  /** Becomes the Message-ID, equal for retries. */
  id: string;
};

export class Mailer {
  private transport: Promise<Transporter> | null = null;
  private readonly host: string;
  private readonly from: string;

  constructor(
    private readonly smtpUrl: string,
    { baseUrl, smtpFrom }: Pick<Config, 'baseUrl' | 'smtpFrom'>,
  ) {
    this.host = new URL(baseUrl).hostname;
    this.from = smtpFrom ?? `reserve-board@${this.host}`;
  }

  /** @throws the library's error where it was not taken or was aborted */
  async send(
    { to, subject, text, id }: Mail,
    signal: AbortSignal,
  ): Promise<void> {
    this.transport ??= transportTo(this.smtpUrl);
    const transport = await this.transport;
    const sent = transport.sendMail({
      from: { name: '', address: this.from },
      to: { name: '', address: to },
      subject,
      text,
      messageId: `<${id}@${this.host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    await unlessAborted(sent, signal);
  }
}

/** The library cannot stop; a stopping node does not wait. */
async function unlessAborted(
  work: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let cut: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    cut = () => reject(new Error('the node stops'));
    signal.addEventListener('abort', cut, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', cut);
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** Otherwise a password might be sent in clear text. */
function needsTls(smtpUrl: string): boolean {
  const { protocol, username, password, hostname } = new URL(smtpUrl);
  const isLocal = LOOPBACK.test(hostname);
  return protocol === 'smtp:' && username + password !== '' && !isLocal;
}

/** Without credentials. */
export function mailWay(smtpUrl: string): string {
  const { protocol, host } = new URL(smtpUrl);
  const tls =
    protocol === 'smtps:'
      ? 'by TLS'
      : needsTls(smtpUrl)
        ? 'by STARTTLS only: without it the password would go in the clear'
        : 'by STARTTLS where the server offers it';
  return `${host}, ${tls}`;
}

/** Loaded with the first mail: most nodes send none. */
async function transportTo(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    requireTLS: needsTls(url),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    // No attachments from files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Null without SMTP_URL. */
export function mailerOf(config: Config): Mailer | null {
  const { smtpUrl } = config;
  return smtpUrl === null ? null : new Mailer(smtpUrl, config);
}

/** A code, never the server's text. */
export function mailFault(error: unknown): string {
  const { code, responseCode } = error as {
    code?: string;
    responseCode?: number;
  };
  if (responseCode !== undefined) return `smtp_${responseCode}`;
  return `smtp_${code ?? 'failed'}`.slice(0, 60);
}
