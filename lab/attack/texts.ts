import { storable } from '../../test/browser/dashboard-rows.js';
import { VECTORS } from '../../test/browser/pages-vectors.js';
import { randomUUID } from '../../test/support/random.js';
import type { Admin } from './operators.js';
import type { AttackClass, Target, Try } from './target.js';
import { published } from './writing.js';

/** What no page may have of a text but as text. */
const ACTIVE =
  /<(?:script|iframe|object|embed|img|math|base|applet|video|audio|style)\b|<[a-z][^<>]*\s(?:on[a-z]+\s*=|(?:href|src|action|formaction|xlink:href)\s*=\s*["']?\s*(?:javascript|data|vbscript):|style\s*=\s*["'][^"']*(?:url\(|expression))/i;
const POSTS = 10;

/** Texts that a page must not make more of, on every page that shows them. */
export async function scripts(target: Target): Promise<AttackClass> {
  const clean = VECTORS.map(storable);
  const size = Math.ceil(clean.length / POSTS);
  const { id: root } = await published(target, {
    title: clean[0]?.slice(0, 180),
    name: clean[1]?.slice(0, 48),
    body: 'Texts of strangers.',
  });
  const shown: [string, number][] = [];
  for (let n = 0; n < POSTS; n += 1) {
    const texts = clean.slice(n * size, (n + 1) * size);
    let body = '';
    for (const text of texts) {
      if (body.length + text.length > 3900) continue;
      body += `${text}\n\n`;
    }
    const name = texts[0]?.slice(0, 48) ?? '';
    const { id } = await published(target, { reply_to: root, body, name });
    shown.push([body, id]);
  }
  const search = encodeURIComponent('<script>alert(1)</script>');
  const pages = [
    ...['/', `/t/${root}`, `/search?q=${search}`, '/moderation', '/top'],
    ...['/my', '/selections', '/connect', '/mesh', '/feed.atom', '/all.txt'],
    ...[`/t/${root}/feed.atom`, `/report?message=${root}`, '/reference'],
    ...[`/t/${root}?seen=${search}`, `/${search}`, `/mesh/${search}`],
    ...shown.map(([, id]) => `/t/${root}?limit=100#m${id}`),
  ];
  const tries = pages.map(
    (page): Try => ({
      what: page,
      run: async () => {
        const headers = { Accept: 'text/html', Host: target.url.host };
        const asked = { headers, from: 'fresh' };
        const answer = await target.ask(page.split('#')[0] ?? '/', asked);
        const type = String(answer.headers['content-type']);
        const policy = String(answer.headers['content-security-policy']);
        if (answer.status >= 500) return `it was answered ${answer.status}`;
        if (!/default-src 'none'/.test(policy)) return 'it has no policy';
        if (/script-src(?! 'none')/.test(policy)) return 'scripts are allowed';
        if (!/frame-ancestors 'none'/.test(policy)) return 'it can be framed';
        const found = /html/.test(type) ? ACTIVE.exec(answer.text)?.[0] : null;
        return found ? `it has ${found}` : null;
      },
    }),
  );
  return { name: `${clean.length} scripts and markup on the pages`, tries };
}

/** Texts that a renderer might take long for. */
const COSTLY = [
  ...['[', '![', '**a', '_a*', '`', '> ', '- ', '<', '<a ', '&', '~~', '#1 '],
  ...['[a](', '|a', '1. ', '![a][', '\\', '*a **b ', '[[', '<!--', 'a\t'],
];

export async function costly(target: Target): Promise<AttackClass> {
  const tries: Try[] = [];
  for (const unit of COSTLY) {
    const body = unit.repeat(4000).slice(0, 4000);
    const { id } = await published(target, { title: 'Costly', body });
    tries.push({
      what: JSON.stringify(unit),
      run: async () => {
        const began = performance.now();
        const headers = { Accept: 'text/html' };
        const { status } = await target.ask(`/t/${id}`, { headers });
        const took = performance.now() - began;
        return status === 200 && took < 5_000
          ? null
          : `it was answered ${status} after ${Math.round(took)} ms`;
      },
    });
  }
  return { name: 'costly Markdown', tries };
}

/** Every address that the machine description has, with these IDs in it. */
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
  const { id } = await published(target, { title: marker, body: marker });
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
