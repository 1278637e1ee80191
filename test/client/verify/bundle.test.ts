import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BundleSource } from '../../../client/export/bundle-source.js';
import { bundleLine } from '../../../client/verify/bundle/bundle-line.js';
import { messagesFile } from '../../../client/verify/bundle/layout.js';
import { verifyBundle } from '../../../client/verify/bundle/verify-bundle.js';
import { type Pins, readPins } from '../../../client/verify/verify.js';
import { ready } from '../../../protocol/signing.js';
import { LogState } from '../../../server/db/entities/log.js';
import { taken } from '../../protocol/support/vectors.js';
import {
  advance,
  LIFTED_KEYS,
  publishSigned,
  record,
  register,
} from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { inTime } from '../../support/in-time.js';
import { publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { asking } from '../support/asking.js';
import { filesOf, sourceOf, withBundle, withFile } from '../support/bundle.js';
import { logOf, signedEntries } from '../support/signed-log.js';

/** Full tiles, and a partial one. */
const MESSAGES = 5 * 256 + 100;

/** Ends those who wait for a pipe: a file that is opened keeps its process. */
function endReaders(pipe: string): string {
  closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
  return 'It was waited for.';
}

describe('an export bundle of a board', () => {
  const test = givenBoard({ lifted: true, limits: LIFTED_KEYS });

  async function pinsOf(): Promise<Pins> {
    const own = { originId: 0 };
    const { logVkey } = await rows(test).findOneByOrFail(LogState, own);
    return taken(readPins([logVkey]));
  }

  async function furnish(): Promise<void> {
    const { client } = asking(test);
    const poll = { question: 'Which?', options: ['a', 'b'] };
    const topic = await client.post({
      title: 'Naïve 雪',
      body: 'A\r\n|\u202e',
      poll,
    });
    const { id } = topic.message;
    await client.ballot(topic.poll?.id ?? 0, 'a');
    const agent = await register(test);
    const signed = await publishSigned(test, agent, { title: 'S', body: '1' });
    await publishSigned(test, agent, { reply_to: id, vote: 1, body: '2' });
    await record(test, advance(agent, 'rotate'));
    await publishSigned(test, agent, {
      reply_to: id,
      body: 'by the second key',
    });
    const other = await register(test);
    await publishSigned(test, other, {
      reply_to: signed.message.id,
      body: '4',
    });
    await record(test, advance(other, 'revoke'));
    const gone = await publish(test, { reply_to: id, body: 'removed' });
    const back = await publish(test, { reply_to: id, body: 'reinstated' });
    const lost = await publish(test, { title: 'E', body: 'erased' });
    await decideTo.remove(test, gone.message.id);
    await decideTo.remove(test, back.message.id);
    await decideTo.reinstate(test, back.message.id);
    await decideTo.erase(test, lost.message.id);
    await decideTo.hide(test, signed.message.id);
  }

  it('of a board without messages is whole', async () => {
    await withBundle(sourceOf(test), async (folder) => {
      const verdict = await verifyBundle(folder, { pins: await pinsOf() });
      expect(bundleLine(verdict)).to.match(/^Whole: 0 messages /);
    });
  });

  it('is whole, and tells what it proves', async () => {
    await furnish();
    await withBundle(sourceOf(test), async (folder) => {
      const verdict = await verifyBundle(folder, { pins: await pinsOf() });
      expect(bundleLine(verdict)).to.match(/^Whole: 8 messages/);
      expect(verdict.bundle).to.include({
        board: 'board.test',
        messages: 8,
        signed: 4,
        removed: 2,
        agents: 2,
        pinned: true,
      });
      const free = await verifyBundle(folder);
      expect(bundleLine(free)).to.include('that this is the log key');
      const lines = (await filesOf(folder)).get('messages/000.jsonl');
      const texts = String(lines)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).content?.body ?? null);
      expect(texts).to.have.members([
        ...['A\r\n|\u202e', '1', '2', 'by the second key', '4'],
        ...[null, 'reinstated', null],
      ]);
    });
  });

  it('is refused where a file is a pipe, which nobody may ever write to', async () => {
    await withBundle(sourceOf(test), async (folder) => {
      const names = [...(await filesOf(folder)).keys()];
      for (const name of names.filter((it) => it !== 'README.txt')) {
        const file = path.join(folder, name);
        await rename(file, `${file}.x`);
        await promisify(execFile)('mkfifo', [file]);
        const { bundle, faults } = await inTime(
          `the verdict on ${name}`,
          verifyBundle(folder),
          () => endReaders(file),
        );
        expect(bundle === null || faults.count > 0, name).to.equal(true);
        await rename(`${file}.x`, file);
      }
    });
  });

  it('has the same bytes whenever and however it is read', async () => {
    const source = sourceOf(test);
    const slowly: BundleSource = {
      ...source,
      entries: async (from, until) =>
        await source.entries(from, Math.min(until, from + 3)),
    };
    await withBundle(source, async (first) => {
      const files = await filesOf(first);
      await withBundle(slowly, async (second) => {
        expect(await filesOf(second)).to.deep.equal(files);
      });
    });
  });

  it('does not keep a text that is removed while it is read', async () => {
    const early = (await publish(test, { body: 'gone early' })).message.id;
    const late = (await publish(test, { body: 'gone late' })).message.id;
    const source = sourceOf(test);
    let heads = 0;
    const racing: BundleSource = {
      checkpoint: () => {
        heads += 1;
        return source.checkpoint();
      },
      entries: async (from, until) => {
        if (heads === 1) await decideTo.remove(test, early);
        const entries = await source.entries(from, until);
        if (heads === 1) await decideTo.remove(test, late);
        return entries;
      },
    };
    await withBundle(racing, async (folder) => {
      expect(heads, 'read on until the removal shows').to.equal(2);
      expect(bundleLine(await verifyBundle(folder))).to.match(/^Whole/);
      const file = (await filesOf(folder)).get('messages/000.jsonl');
      expect(String(file)).not.to.match(/gone (?:early|late)/);
    });
  });

  it('is not whole when a board keeps a text back', async () => {
    const source = sourceOf(test);
    let heads = 0;
    const sly: BundleSource = {
      checkpoint: () => {
        heads += 1;
        return source.checkpoint();
      },
      entries: async (from, until) => {
        const entries = await source.entries(from, until);
        const kept = entries.find(({ content }) => content !== null);
        if (kept !== undefined) kept.content = null;
        return entries;
      },
    };
    await withBundle(sly, async (folder) => {
      expect(heads).to.equal(5);
      const { faults } = await verifyBundle(folder);
      expect(faults.count).to.equal(1);
      expect(faults.first[0]?.step).to.equal('removal');
    });
  });

  it('is found out when any byte of any file is changed', async () => {
    const pins = await pinsOf();
    await withBundle(sourceOf(test), async (folder) => {
      const files = await filesOf(folder);
      for (const [name, bytes] of files) {
        if (name === 'README.txt') continue;
        const steps = new Set<string>();
        const stride = Math.ceil(bytes.length / 150);
        for (let at = 0; at < bytes.length; at += stride) {
          const edited = Buffer.from(bytes);
          edited[at] = (bytes[at] ?? 0) ^ 1;
          const { bundle, faults } = await withFile(folder, name, edited, () =>
            verifyBundle(folder, { pins }),
          );
          expect(faults.count, `${name}, byte ${at}`).to.be.above(0);
          expect(bundleLine({ bundle, faults })).to.match(/^Not whole: step /);
          for (const { step } of faults.first) steps.add(step);
        }
        const kind = Object.keys(STEPS).find((one) => name.startsWith(one));
        const expected = STEPS[kind ?? ''];
        expect([...steps], name).to.include.members(expected ?? ['none']);
        const { faults } = await withFile(folder, name, null, () =>
          verifyBundle(folder, { pins }),
        );
        expect(faults.count, `without ${name}`).to.be.above(0);
      }
      expect(bundleLine(await verifyBundle(folder, { pins }))).to.match(
        /^Whole/,
      );
    });
  });

  it('is told apart from what lies beside it', async () => {
    await withBundle(sourceOf(test), async (folder) => {
      await writeFile(path.join(folder, 'more.txt'), 'more');
      const verdict = await verifyBundle(folder);
      expect(verdict.bundle?.strangers).to.deep.equal(['more.txt']);
      expect(bundleLine(verdict)).to.include('what 1 other files');
    });
  });

  it('is no bundle where nothing is, or of another log', async () => {
    const nowhere = await verifyBundle('/nowhere');
    expect(bundleLine(nowhere)).to.match(/^Not whole: step layout/);
    const other = readPins([
      'board-a.example/log+c99201df+AQfudFV5xcpTp3KrgdYWpZtHnmOpIwwIX7x7vYBOHIFy',
    ]);
    await withBundle(sourceOf(test), async (folder) => {
      const verdict = await verifyBundle(folder, { pins: taken(other) });
      expect(verdict.faults.first[0]?.step).to.equal('log_pin');
    });
  });
});

/** Steps that changes of each file must be able to fail. */
const STEPS: Record<string, string[]> = {
  'bundle.json': ['layout', 'summary', 'checkpoint'],
  checkpoint: ['checkpoint'],
  'keys.jsonl': ['keys'],
  messages: ['message', 'content', 'removal'],
  'tile/0': ['tiles'],
  'tile/entries': ['checkpoint', 'tiles', 'entry', 'signature', 'parent'],
};

describe('the check of a bundle of several tiles', () => {
  it('finds no fault in order, and tells how far it is', async () => {
    await ready();
    await withBundle(logOf(signedEntries(MESSAGES)), async (folder) => {
      const seen: number[] = [];
      const onProgress = (done: number) => seen.push(done);
      const many = await verifyBundle(folder, { onProgress });
      expect(many.faults.count).to.equal(0);
      expect(many.bundle?.messages).to.equal(MESSAGES);
      expect(seen).to.deep.equal([256, 512, 768, 1024, 1280, MESSAGES + 21]);
    });
  });

  it('finds faults wherever they are', async () => {
    await ready();
    await withBundle(logOf(signedEntries(MESSAGES)), async (folder) => {
      for (const name of [messagesFile(4), 'tile/1/000.p/5', 'tile/0/002']) {
        const bytes = (await filesOf(folder)).get(name);
        const edited = Buffer.from(bytes ?? []);
        edited[30] = (edited[30] ?? 0) ^ 1;
        const found = await withFile(folder, name, edited, () =>
          verifyBundle(folder),
        );
        expect(found.faults.count, name).to.equal(1);
      }
    });
  });
});
