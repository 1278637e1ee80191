import { cosign } from '../../../../protocol/checkpoint.js';
import { signatureLine } from '../../../../protocol/note.js';
import { addressOf } from './furnished.js';
import type { Walk } from './walk.js';

/**
 * What another board's log looks like from here (spec/mesh.md §B4, §B7 to §B9).
 */
export function walkMesh(begun: () => Walk): void {
  const board = '/api/mesh/boards/{name}';

  it('reads the mesh, other boards and their logs', async () => {
    const { read, has } = begun();
    for (const route of [
      ...['/api/mesh', '/api/mesh/boards', '/api/mesh/search'],
      ...['/api/mesh/updates', '/api/mesh/evidence', '/log/feed'],
      ...['checkpoint', 'consistency', 'feed', 'content'].map(
        (name) => `/mirror/{hash}/${name}`,
      ),
      ...['threads', 'thread/{id}', 'updates', 'messages/{id}'].map(
        (name) => `${board}/${name}`,
      ),
      `${board}/messages/{id}/proof`,
      '/api/mesh/evidence/{sha256}',
    ]) {
      await read(addressOf(route, has));
    }
  });

  it('asks in vain for boards, logs and messages that are not here', async () => {
    const { read, has, plain } = begun();
    const none = '0'.repeat(64);
    const at = board.replace('{name}', has.mirrored.name);
    const nowhere = board.replace('{name}', 'no-board.example');
    await read('/api/mesh/search?q=text&board=no-board.example', 404);
    await read(`/api/mesh/evidence/${none}`, 404);
    for (const name of ['checkpoint', 'consistency?from=1&to=2']) {
      await read(`/mirror/${none}/${name}`, 404);
    }
    await read(`/mirror/${none}/feed?from=0`, 404);
    await read(`/mirror/${none}/content?index=1`, 404);
    await read(`/mirror/${has.mirrored.hash}/feed?from=99`, 409);
    await read('/log/feed?from=99999', 409);
    await read(`${nowhere}/threads`, 404);
    await read(`${nowhere}/updates`, 404);
    for (const name of ['thread/99', 'messages/99', 'messages/99/proof']) {
      await read(`${at}/${name}`, 404);
    }
    const { hidden, topic } = has.mirrored;
    for (const name of [`messages/${hidden}`, `messages/${hidden}/proof`]) {
      await read(`${at}/${name}`, 451);
    }
    const { writes } = plain.board.context;
    const hide = (time: number | null) =>
      writes.query('UPDATE mirror_message SET hidden_at = $2 WHERE id = $1', [
        topic,
        time,
      ]);
    await hide(1);
    await read(`${at}/thread/${topic}`, 451);
    await hide(null);
    await read(`/mirror/${has.mirrored.hash}/content?index=4`, 410);
    await read(`/mirror/${has.mirrored.hash}/content?index=1`, 404);
  });

  it('takes hints and cosignatures', async () => {
    const { send, test, has } = begun();
    const origin = `${has.mirrored.name}/log`;
    await send('/api/mesh/hint', { origin, size: 1 }, 202);
    await send('/api/mesh/hint', { origin }, 400);
    await send('/api/mesh/hint', { origin: 'x.example/log', size: 1 }, 404);
    const { text } = await test.as().get('/log/checkpoint');
    const [body = '', line = ''] = text.split('\n\n');
    const checkpoint = `${body}\n`;
    const now = Math.floor(test.clock.now() / 1000);
    const { mirror } = has.mirrored.keys;
    const cosignature = signatureLine(cosign(checkpoint, now, mirror));
    const whole = { body: checkpoint, log: line, cosignature };
    await send('/api/mesh/cosign', whole, 204);
    await send('/api/mesh/cosign', { ...whole, body: 'x\n' }, 400);
    const other = { ...whole, body: checkpoint.replace('/log', '/log9') };
    await send('/api/mesh/cosign', other, 404);
  });
}
