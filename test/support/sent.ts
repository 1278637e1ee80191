import pg from 'pg';

type Query = (
  this: pg.Client,
  asked: string | { text: string },
  ...rest: unknown[]
) => unknown;
export type Sent = { client: pg.Client; text: string };

/** What this process sends to databases meanwhile. */
export async function sentDuring(work: () => Promise<unknown>) {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const sent: Sent[] = [];
  prototype.query = function noted(asked, ...rest) {
    const text = typeof asked === 'string' ? asked : asked.text;
    sent.push({ client: this, text });
    return query.call(this, asked, ...rest);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return sent;
}

/** The first transaction that writes to the log, without COMMIT. */
export function logTransaction(sent: readonly Sent[]): string[] {
  const isLog = ({ text }: Sent) => /INTO log_entry/.test(text);
  const { client } = sent.find(isLog) ?? {};
  const own = sent.filter((one) => one.client === client);
  const texts = own.map(({ text }) => text);
  const at = own.findIndex(isLog);
  const begun = texts.lastIndexOf('START TRANSACTION', at);
  return texts.slice(begun, texts.indexOf('COMMIT', at));
}
