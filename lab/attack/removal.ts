import { setTimeout } from 'node:timers/promises';
import { solve } from '../../test/support/post.js';
import { randomUUID } from '../../test/support/random.js';
import type { Admin } from './admin.js';
import {
  type AttackClass,
  freshAddress,
  type Target,
  type Try,
} from './target.js';

/** Publishes, and waits where the board as a whole has had enough. */
async function published(target: Target, post: object): Promise<number> {
  const from = freshAddress();
  const draft = { ...post, request_id: randomUUID() };
  const seen = await target.ask('/write/preview', { body: draft, from });
  const { publish, challenge } = seen.json as {
    publish?: { json_template: object };
    challenge?: string;
  };
  if (publish === undefined) throw new Error(`preview: ${seen.text}`);
  const body = { ...publish.json_template, answer: solve(String(challenge)) };
  const answer = await target.ask('/write/publish', { body, from });
  const { message, retry_after_seconds: wait } = answer.json as {
    message?: { id: number };
    retry_after_seconds?: number;
  };
  if (message !== undefined) return message.id;
  if (answer.status !== 429) throw new Error(`publish: ${answer.text}`);
  await setTimeout(1000 * Number(wait));
  return await published(target, post);
}

async function addressesOf(target: Target, id: number): Promise<string[]> {
  const { json } = await target.ask('/openapi.json');
  const fill: Record<string, string | number> = {
    ...{ id, message_id: id, L: 0, N: '000', W: 1, room: 'lobby' },
    ...{ uuid: randomUUID(), name: target.url.host, part: 'reading' },
  };
  return Object.entries(json.paths as object)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) =>
      path.replace(/\{(\w+)\}/g, (_, it) => String(fill[it] ?? 1)),
    );
}

/** A removed text, looked for wherever a stranger can look. */
export async function removal(admin: Admin): Promise<AttackClass> {
  const { target } = admin;
  const marker = `marker${randomUUID().replaceAll('-', '')}`;
  const id = await published(target, { title: marker, body: marker });
  const addresses = [
    ...(await addressesOf(target, id)),
    ...[`/search?q=${marker}`, `/api/search?q=${marker}&match=all`],
    ...[`/api/updates?since=${id - 1}`, `/api/threads?limit=100`],
    ...[`/log/content?index=${id}`, `/api/mesh/search?q=${marker}`],
  ];
  const before = (await target.ask(`/t/${id}`)).text.includes(marker);
  const removed = await admin.do('decision.record', {
    ...{ action: 'remove', id, reason: 'spam', explanation: 'An attack.' },
  });
  if (!before || removed.status !== 200) {
    throw new Error(`nothing was removed: ${removed.text}`);
  }
  const forms = ['text/html', 'application/json', 'text/markdown', '*/*'];
  const tries = addresses.flatMap((path) =>
    forms.map(
      (form): Try => ({
        what: `${path} as ${form}`,
        run: async () => {
          const headers = { Accept: form };
          const asked = { headers, from: 'fresh' };
          const { text, status } = await target.ask(path, asked);
          if (status >= 500) return `it was answered ${status}`;
          const shown = text.replaceAll(/q=marker[0-9a-f]*/g, '');
          const echoed = /value="marker|"q":"marker|for “?marker|marker\w* –/;
          return shown.includes(marker) && !echoed.test(shown)
            ? 'the text is there'
            : null;
        },
      }),
    ),
  );
  return { name: 'a removed text', tries };
}
