import { cosign } from '../../../../protocol/checkpoint.js';
import { signatureLine } from '../../../../protocol/note.js';
import type { Walk } from './walk.js';

/**
 * What another board's log looks like from here (spec/mesh.md §B4, §B7 to §B9).
 */
export function walkMesh(begun: () => Walk): void {
  it('asks in vain for messages of other boards that are not here', async () => {
    const { read, has, plain } = begun();
    const at = `/api/mesh/boards/${has.mirrored.name}`;
    await read('/api/mesh/search?q=text&board=no-board.example', 404);
    await read(`/mirror/${has.mirrored.hash}/feed?from=99`, 409);
    await read('/log/feed?from=99999', 409);
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
