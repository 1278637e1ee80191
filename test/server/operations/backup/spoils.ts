import { execFile } from 'node:child_process';
import {
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  fileOf,
  type Manifest,
} from '../../../../server/operations/backup/manifest.js';
import { SEED } from '../../../support/board.js';
import { edit, forge } from './forge.js';

export type Spoil = (folder: string) => Promise<void>;

const nth = fc.nat({ max: 200 });
const pick = <T>(from: readonly T[], place: number): T =>
  from[place % from.length] as T;
const tablesOf = async (folder: string) => {
  const text = await readFile(path.join(folder, 'manifest.json'), 'utf8');
  return (JSON.parse(text) as Manifest).tables;
};
const someFile = async (folder: string, place: number) => {
  const tables = (await tablesOf(folder)).map((one) => fileOf(folder, one));
  const own = ['manifest.json', 'manifest.hmac'].map((name) =>
    path.join(folder, name),
  );
  return pick([...own, ...tables], place);
};

const junkBytes = fc
  .uint8Array({ maxLength: 300 })
  .map((it) => Buffer.from(it));

const files: fc.Arbitrary<Spoil> = fc.oneof(
  fc.tuple(nth, fc.nat()).map(
    ([place, size]): Spoil =>
      async (folder) => {
        const file = await someFile(folder, place);
        const { length } = await readFile(file);
        await truncate(file, size % Math.max(1, length));
      },
  ),
  fc.tuple(nth, junkBytes).map(
    ([place, bytes]): Spoil =>
      async (folder) => {
        await writeFile(await someFile(folder, place), bytes);
      },
  ),
  fc.tuple(nth, fc.nat({ max: 5 })).map(([place, kind]): Spoil => {
    return async (folder) => {
      const file = await someFile(folder, place);
      await rm(file);
      if (kind === 0) await mkdir(file);
      if (kind === 1) await symlink(file, file);
      if (kind === 2) await symlink('/proc/self/mem', file);
      // One that nobody writes to: a read of it would never end.
      if (kind === 4) await promisify(execFile)('mkfifo', [file]);
      if (kind === 3) await symlink('../../../../etc/hostname', file);
    };
  }),
  fc.tuple(nth, nth).map(
    ([one, two]): Spoil =>
      async (folder) => {
        const tables = (await tablesOf(folder)).filter(
          ({ bytes }) => bytes > 20,
        );
        const first = fileOf(folder, pick(tables, one));
        const second = fileOf(folder, pick(tables, one + 1 + (two % 3)));
        await rename(first, `${first}.x`);
        await rename(second, first);
        await rename(`${first}.x`, second);
        const bytes = await readFile(first);
        // Two empty tables have one file: that is no fault.
        if (bytes.equals(await readFile(second))) await truncate(first, 1);
      },
  ),
  // It takes no room on the disk.
  fc.tuple(nth, fc.constantFrom(2 ** 31, 2 ** 36)).map(
    ([place, size]): Spoil =>
      async (folder) => {
        await truncate(await someFile(folder, place), size);
      },
  ),
  fc.constant(async (folder: string) => {
    await rename(path.join(folder, 'tables'), path.join(folder, 'Tables'));
    await writeFile(path.join(folder, 'tables'), 'a file');
  }),
);

const names = fc.constantFrom(
  ...['../../x', '/etc/passwd', 'message/../vote', 'a\0b', '', '.', 'Message'],
  ...['message"; DROP TABLE message; --', 'pg_class', 'migrations', 'nobody'],
  ...['log_entry_1', 'operator_session', '__proto__', 'x'.repeat(64)],
);
const counts = fc.constantFrom(
  ...[-1, 0.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e300, '1', null, true],
);

/** A manifest that its board's own seed has sealed, and still is none. */
const sealed: fc.Arbitrary<(it: Record<string, never>, at: number) => unknown> =
  fc.oneof(
    names.map((name) => (it: { tables: object[] }, at: number) => {
      Object.assign(pick(it.tables, at), { name });
    }),
    names.map(
      (name) => (it: { tables: { columns: string[] }[] }, at: number) => {
        pick(it.tables, at).columns[0] = name;
      },
    ),
    fc.constant((it: { tables: { columns: string[] }[] }, at: number) => {
      const { columns } = pick(it.tables, at);
      columns.push(columns[0] as string);
    }),
    fc
      .tuple(fc.constantFrom('rows', 'bytes', 'sha256'), counts)
      .map(([key, to]) => (it: { tables: object[] }, at: number) => {
        Object.assign(pick(it.tables, at), { [key]: to });
      }),
    fc
      .tuple(
        fc.constantFrom('size', 'root', 'vkey', 'origin', 'checkpoint'),
        counts,
      )
      .map(([key, to]) => (it: { log: object }) => {
        Object.assign(it.log, { [key]: to === true ? 'x' : to });
      }),
    fc
      .tuple(
        fc.constantFrom('format', 'board', 'migrations', 'tables', 'more'),
        fc.jsonValue({ maxDepth: 2 }),
      )
      .map(
        ([key, to]) =>
          (it: object) =>
            Object.assign(it, { [key]: to }),
      ),
    fc
      .constantFrom('\u001b[2Jx', 'a\nreserve-board: Restored.', '\u202ex')
      .map((text) => (it: object) => Object.assign(it, { [text]: text })),
    fc
      .tuple(
        fc.constantFrom('release', 'board', 'database'),
        fc.constantFrom('\u001b]0;x\u0007', 'a\nb', '\u202e', '\u00e9'),
      )
      .map(
        ([key, text]) =>
          (it: object) =>
            Object.assign(it, { [key]: text }),
      ),
    fc
      .constantFrom(8.64e15, 2 ** 53 - 1)
      .map((time) => (it: object) => Object.assign(it, { made_at: time })),
    fc
      .constantFrom([0], [2 ** 31], [2 ** 53])
      .map((mirrors) => (it: object) => Object.assign(it, { mirrors })),
    fc
      .constantFrom(['Later1'], [''], ['Ledger1763900100000'])
      .map((migrations) => (it: object) => Object.assign(it, { migrations })),
    fc.constant((it: { tables: { name: string }[] }) => {
      it.tables = it.tables.filter(({ name }) => name !== 'log_entry');
    }),
  ) as never;

const manifests = fc.tuple(sealed, nth).map(([change, at]): Spoil => {
  return (folder) =>
    edit(
      folder,
      (text) => {
        const it = JSON.parse(text);
        change(it, at);
        return JSON.stringify(it);
      },
      SEED,
    );
});

/** Rows that the manifest agrees with, and PostgreSQL does not. */
const rows = fc
  .tuple(
    fc.constantFrom('message', 'log_entry', 'log_state', 'stream'),
    fc.constantFrom('\\.\n', 'x\n', '\\N\t\\N\n', '\0\n', '\\xff\n', ''),
    fc.boolean(),
  )
  .map(([name, put, inFront]): Spoil => {
    return async (folder) => {
      const tables = await tablesOf(folder);
      const table = tables.find((one) => one.name === name) ?? tables[0];
      if (table === undefined) return;
      const change = (text: string) =>
        put === ''
          ? `${text}${text}x`
          : inFront || put === '\\.\n'
            ? put + text
            : text + put;
      await forge(folder, table.name, change, SEED);
    };
  });

const packed = nth.map(
  (place): Spoil =>
    async (folder) => {
      // No gzip, or a second one behind the first, where the hash agrees.
      const table = pick(await tablesOf(folder), place);
      const whole = await readFile(fileOf(folder, table));
      await forge(folder, table.name, (text) => `${text}\0`, SEED);
      const bytes = place % 2 === 0 ? whole.subarray(1) : gzipSync(whole);
      await writeFile(fileOf(folder, table), bytes);
    },
);

export const spoils = fc.oneof(files, manifests, rows, packed);
