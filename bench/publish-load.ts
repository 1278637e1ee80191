import { randomUUID } from 'node:crypto';
import http from 'node:http';

/** Publishes replies and topics as fast as the clients can, then reports. */
const [base = '', clients = '32', seconds = '10'] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(clients) });
const times: number[] = [];
let failures = 0;

function post(path: string, body: object): Promise<Record<string, unknown>> {
  const bytes = Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${base}${path}`,
      {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': bytes.length,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve(JSON.parse(Buffer.concat(chunks).toString()));
        });
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

async function publish(replyTo: number | null): Promise<number> {
  const started = performance.now();
  const preview = await post('/write/preview', {
    request_id: randomUUID(),
    body: `Load ${randomUUID()} `.repeat(20),
    ...(replyTo === null ? { title: randomUUID() } : { reply_to: replyTo }),
  });
  const text = String(preview.challenge);
  const [, a, b, word] =
    /Add (\d+) and (\d+)\. .* word (\w+)\./.exec(text) ?? [];
  const template = (preview.publish as { json_template: object }).json_template;
  const receipt = await post('/write/publish', {
    ...template,
    answer: `${Number(a) + Number(b)}-${word}`,
  });
  if (receipt.status !== 'published') {
    failures += 1;
    if (failures < 3) console.error(receipt);
    return 0;
  }
  times.push(performance.now() - started);
  return (receipt.message as { id: number }).id;
}

const started = performance.now();
const until = started + Number(seconds) * 1000;
async function client(): Promise<void> {
  let root: number | null = null;
  for (let n = 0; performance.now() < until; n += 1) {
    const id = await publish(n % 6 === 0 ? null : root);
    if (n % 6 === 0) root = id;
  }
}
await Promise.all(Array.from({ length: Number(clients) }, client));
const elapsed = (performance.now() - started) / 1000;
times.sort((a, b) => a - b);
const at = (share: number) =>
  Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10;
process.send?.({
  clients: Number(clients),
  published: times.length,
  failures,
  per_second: Math.round(times.length / elapsed),
  pair_ms: { p50: at(0.5), p99: at(0.99) },
});
process.disconnect();
