import {
  chmod,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { AgentFailure } from '../../../client/cli/failure.js';
import {
  createKeyFile,
  draftOf,
  historyOf,
  type KeyFile,
  parseKeyFile,
  readKeyFile,
  readKeys,
  replaceKeys,
} from '../../../client/cli/key-file.js';
import { isNextKey, newIdentity, rotated } from '../../../client/identity.js';
import { taken } from '../../protocol/support/vectors.js';
import { newFolder } from '../../support/run-folder.js';
import { failure } from '../support/asking.js';

const seed = (byte: number) => new Uint8Array(32).fill(byte);

describe('key files', () => {
  let folder: string;
  let file: string;
  let nextFile: string;

  beforeEach(async () => {
    folder = await newFolder();
    file = path.join(folder, 'agent.key');
    nextFile = path.join(folder, 'agent.key.next');
  });

  async function fresh(): Promise<{ current: KeyFile; next: KeyFile }> {
    const { agentId, notes } = await newIdentity(seed(1), seed(2), 1000);
    const current = { agentId, role: 'current', seed: seed(1), notes } as const;
    const next = { agentId, role: 'next', seed: seed(2), notes: [] } as const;
    const keys = {
      current: { ...current, notes },
      next: { ...next, notes: [] },
    };
    await createKeyFile(file, keys.current);
    await createKeyFile(nextFile, keys.next);
    return keys;
  }

  it('are read by their owner alone, and refused otherwise', async () => {
    const { current } = await fresh();
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(await readKeyFile(file)).to.deep.equal(current);
    for (const mode of [0o400, 0o600, 0o700]) {
      await chmod(file, mode);
      expect(await readKeyFile(file)).to.deep.equal(current);
    }
    for (const mode of [0o640, 0o604, 0o620, 0o610, 0o601, 0o666]) {
      await chmod(file, mode);
      const error = await failure(readKeyFile(file), AgentFailure);
      expect(error.message).to.include('chmod 600');
    }
  });

  it('are never overwritten', async () => {
    const { current } = await fresh();
    const error = await failure(createKeyFile(file, current), AgentFailure);
    expect(error.message).to.include('is there already');
    const nowhere = path.join(folder, 'no', 'folder');
    await failure(createKeyFile(nowhere, current), AgentFailure);
    await failure(readKeyFile(nowhere), AgentFailure);
  });

  it('are refused when they hold something else', async () => {
    const { current } = await fresh();
    const text = await readFile(file, 'utf8');
    const good = JSON.parse(text);
    expect(parseKeyFile(text)).to.deep.equal(current);
    for (const bad of [
      '',
      'null',
      '[]',
      '{}',
      JSON.stringify({ ...good, format: 'x' }),
      JSON.stringify({ ...good, seed: 'ab' }),
      JSON.stringify({ ...good, seed: 'AB'.repeat(32) }),
      JSON.stringify({ ...good, role: 'former' }),
      JSON.stringify({ ...good, agent_id: 'a1' }),
      JSON.stringify({ ...good, events: [1] }),
    ]) {
      expect(parseKeyFile(bad), bad).to.equal(null);
    }
  });

  it('survive a rotation that breaks off anywhere', async () => {
    const steps: [string, (after: Map<string, Buffer>) => Promise<void>][] = [
      ['before anything', async () => {}],
      [
        'with both drafts written',
        async (after) => {
          await writeFile(draftOf(nextFile), after.get('next') ?? '', {
            mode: 0o600,
          });
          await writeFile(draftOf(file), after.get('current') ?? '', {
            mode: 0o600,
          });
        },
      ],
      [
        'between the two files',
        async (after) => {
          await writeFile(draftOf(nextFile), after.get('next') ?? '', {
            mode: 0o600,
          });
          await writeFile(file, after.get('current') ?? '');
        },
      ],
    ];
    for (const [when, breakOff] of steps) {
      const keys = await fresh();
      const before = [await readFile(file), await readFile(nextFile)];
      const history = taken(
        await rotated(historyOf(keys.current), seed(2), seed(3), 2000),
      );
      const { agentId, notes } = history;
      await replaceKeys(
        { file, nextFile },
        {
          current: { agentId, role: 'current', seed: seed(2), notes },
          next: { agentId, role: 'next', seed: seed(3), notes: [] },
        },
      );
      expect(await readdir(folder)).to.have.members([
        'agent.key',
        'agent.key.next',
      ]);
      const after = new Map([
        ['current', await readFile(file)],
        ['next', await readFile(nextFile)],
      ]);
      await writeFile(file, before[0] ?? '');
      await writeFile(nextFile, before[1] ?? '');
      await breakOff(after);
      const found = await readKeys({ file, nextFile });
      const known = historyOf(found.current);
      expect(await isNextKey(known, found.next.seed), when).to.equal(true);
      folder = await newFolder();
      file = path.join(folder, 'agent.key');
      nextFile = path.join(folder, 'agent.key.next');
    }
  });

  it('tell apart the next key of another identity', async () => {
    await fresh();
    const other = await newIdentity(seed(8), seed(9), 1000);
    await rm(nextFile);
    const missing = await failure(readKeys({ file, nextFile }), AgentFailure);
    expect(missing.message).to.include('is not at');
    await createKeyFile(nextFile, {
      agentId: other.agentId,
      role: 'next',
      seed: seed(9),
      notes: [],
    });
    const error = await failure(readKeys({ file, nextFile }), AgentFailure);
    expect(error.message).to.include('is not the key');
    await rename(nextFile, file);
    await failure(readKeys({ file, nextFile }), AgentFailure);
  });
});
