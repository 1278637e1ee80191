// A peer of level 1 (docs/join.md): each line of standard input becomes a signed message that others mirror.
import * as crypto from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import readline from 'node:readline';

const { SEED, NAME, ADDRESS, PORT, LOG } = process.env;
const ORIGIN = `${NAME}/log`;
const sha256 = (...parts) => parts.reduce((h, part) => h.update(part), crypto.createHash('sha256')).digest();
const base64 = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part))).toString('base64');

// Step 1: keys. Each has a name, a type, a key id and a vkey.
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex'); // and 32 bytes are an Ed25519 key
function keyOf(role) {
  const seed = crypto.hkdfSync('sha256', Buffer.from(SEED, 'hex'), '', `reserve-board/seed/${role}/v1`, 32);
  const key = crypto.createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seed)]), format: 'der', type: 'pkcs8' });
  return { key, raw: crypto.createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32) };
}
function signer(name, { key, raw }, type = 1) {
  const id = sha256(name, '\n', Buffer.of(type), raw).subarray(0, 4);
  const line = (text) => `— ${name} ${base64(id, crypto.sign(null, Buffer.from(text), key))}\n`;
  return { line, vkey: `${name}+${id.toString('hex')}+${base64([type], raw)}` };
}
const log = signer(ORIGIN, keyOf('log'));
const mirror = signer(`${NAME}/mirror`, keyOf('mirror'), 4);
const node = signer(`${NAME}/node`, keyOf('node'));
const bits = (bytes) => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
const base32 = (bytes) => bits(bytes).replace(/.{5}/g, (five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)]);
const agentKey = keyOf('agent');
const AGENT = `a1${base32(sha256('reserve-board/agent-id/v1\n', agentKey.raw, Buffer.alloc(32)).subarray(0, 20))}`;
const agent = signer(AGENT, agentKey);

// Step 2: a note is a text, a blank line and its signature lines.
const lines = (...all) => `${all.join('\n')}\n`;
const note = (text, ...signers) => `${text}\n${signers.map(({ line }) => line(text)).join('')}`;

// Step 3: the log. What is written is never changed: a rewritten log is a fork.
const entries = existsSync(LOG) ? readFileSync(LOG, 'utf8').split('\n').filter(Boolean).map((it) => JSON.parse(it)) : [];
let waiting = [];
function append(type, fields, embedded, content) {
  const at = Math.max(Date.now(), entries.at(-1)?.at ?? 0);
  const leaf = `${lines('reserve-board/entry/v1', `type ${type}`, `at ${at}`, ...fields)}\n${embedded}`;
  entries.push({ at, leaf, content });
  appendFileSync(LOG, `${JSON.stringify(entries.at(-1))}\n`);
  for (const go of waiting.splice(0)) go();
}
if (entries.length === 0) {
  const at = Date.now();
  append('board', [], note(lines('reserve-board/identity/v1', `name ${NAME}`, `url ${ADDRESS}`, `origin ${ORIGIN}`,
    `log ${log.vkey}`, `mirror ${mirror.vkey}`, `node ${node.vkey}`, 'seq 0', `at ${at}`), log, node));
  append('key', [`agent ${AGENT}`, 'seq 0'], note(lines('reserve-board/key/v1', `agent ${AGENT}`, 'op register', 'seq 0',
    `key ${base64(agentKey.raw)}`, 'next -', 'prev -', `at ${at}`), agent));
}
function post(body) {
  const id = entries.length - 1; // entries 0 and 1 are no posts
  const [salt, title] = [crypto.randomBytes(16), `Message ${id}`];
  const fields = Object.entries({ salt, name: NAME, title, body });
  const hash = sha256('reserve-board/content/v1\n', ...fields.flatMap(([name, value]) => [`${name} ${Buffer.byteLength(value)}\n`, value, '\n']));
  const statement = lines('reserve-board/post/v1', `board ${NAME}`, `agent ${AGENT}`, `request ${crypto.randomUUID()}`,
    `at ${Date.now()}`, 'room lobby', 'parent -', `content ${base64(hash)}`);
  append('post', [`id ${id}`, `root ${id}`, 'via -'], note(statement, agent), { salt: base64(salt), name: NAME, title, body });
}
readline.createInterface({ input: process.stdin }).on('line', (line) => line.trim() && post(line.trim()));

// Step 4: the tree and its head (RFC 6962).
const split = (n) => 2 ** (Math.ceil(Math.log2(n)) - 1);
const root = (hashes) => hashes.length === 1 ? hashes[0]
  : sha256(Buffer.of(1), root(hashes.slice(0, split(hashes.length))), root(hashes.slice(split(hashes.length))));
function proof(from, hashes, whole = true) {
  if (from === hashes.length) return whole ? [] : [root(hashes)];
  const at = split(hashes.length);
  const [left, right] = [hashes.slice(0, at), hashes.slice(at)];
  return from <= at ? [...proof(from, left, whole), root(right)] : [...proof(from - at, right, false), root(left)];
}

// Step 5: the two documents.
function page(from, limit, content) {
  const hashes = entries.map(({ leaf }) => sha256(Buffer.of(0), leaf));
  const given = entries.slice(from, from + Math.min(limit, 64)); // 64 of at most 24 KiB stay under 2 MiB
  const to = from + given.length;
  return { protocol: 'reserve-mesh/1', origin: ORIGIN, from, to,
    checkpoint: note(lines(ORIGIN, hashes.length, base64(root(hashes))), log),
    consistency: proof(to, hashes).map((hash) => base64(hash)),
    entries: given.map((it) => (content === 'none' || !it.content ? { leaf: it.leaf } : { leaf: it.leaf, content: it.content })) };
}
http.createServer(async (req, res) => {
  const { pathname, searchParams: query } = new URL(req.url, 'http://localhost');
  const answer = (status, value) => res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  const [from, limit, wait] = [['from', 0], ['limit', 256], ['wait', 0]].map(([name, none]) => Number(query.get(name) ?? none));
  if (pathname === '/api/mesh') {
    const identity = entries[0].leaf.slice(entries[0].leaf.indexOf('\n\n') + 2);
    return answer(200, { protocol: 'reserve-mesh/1', level: 1, identity });
  }
  if (pathname !== '/log/feed') return answer(404, { error: 'not_found', detail: 'There is nothing here.' });
  if (from > entries.length) return answer(409, { error: 'cursor_ahead', detail: 'The log is shorter.', checkpoint: page(0, 1).checkpoint });
  if (from === entries.length && wait > 0) {
    await new Promise((go) => { waiting.push(go); setTimeout(go, Math.min(wait, 25) * 1000); });
  }
  answer(200, page(from, limit, query.get('content') ?? 'none'));
}).listen(Number(PORT), () => console.log(`${NAME} is ready; its log key is ${log.vkey}`));
