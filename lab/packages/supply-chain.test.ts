import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordFaults, recordMissed } from '../../test/faults/report.js';
import { treeFiles } from '../../test/support/tree-files.js';
import {
  type Locked,
  type Lockfile,
  nameAt,
  runtimePackages,
  sbomOf,
} from './runtime-packages.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What the fault plan wants, and what there is: it may shrink, not grow. */
const WANTED_RUNTIME = 120;
const MOST_RUNTIME = 180;

type Manifest = {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
  overrides: Record<string, string | Record<string, string>>;
};

/** Licences that ask for no more than their notice. */
const PERMISSIVE = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'],
  ...['Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', 'CC-BY-4.0', 'Unlicense'],
  ...['Python-2.0', 'PSF-2.0', 'PostgreSQL', 'Zlib', 'WTFPL'],
]);
/** Say their licence (MIT) in a way that the lockfile does not repeat. */
const MIT_ELSEWHERE: readonly string[] = [
  'node_modules/xmlhttprequest-ssl',
  'node_modules/memorystream',
];
/** Tools of development only; nothing of them is part of the board. */
const TOOLS = new Set(['MPL-2.0', 'LGPL-3.0-or-later']);

const SECRETS: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bxox[abprs]-[A-Za-z0-9-]{20,}/,
  /\bsk-[A-Za-z0-9]{32,}\b/,
  /\bsk-(?:ant|proj)-[A-Za-z0-9_-]{24,}/,
  /\bglpat-[A-Za-z0-9_-]{20}/,
  /\bAIza[A-Za-z0-9_-]{35}\b/,
  /\b[rs]k_live_[A-Za-z0-9]{16,}/,
  /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/,
  /\/\/[^\s/]+\/:_authToken=[^$\s]/,
];

type Component = {
  name: string;
  version: string;
  licenses: { expression?: string; license?: { id: string } }[];
};

function isAtLeast(version: string, other: string): boolean {
  const [one, two] = [version, other].map((it) => it.split('.').map(Number));
  for (const [n, part] of (two ?? []).entries()) {
    const mine = one?.[n] ?? 0;
    if (mine !== part) return mine > part;
  }
  return true;
}

/** A scope's folder stands for its packages of the several systems. */
const folderOf = (at: string) => path.dirname(at);

const json = async (name: string) =>
  JSON.parse(await readFile(path.join(ROOT, name), 'utf8'));

describe('what the board is made of (H)', () => {
  let manifest: Manifest;
  let lock: Lockfile;
  let packages: [string, Locked][];

  before(async () => {
    manifest = await json('package.json');
    lock = await json('package-lock.json');
    expect(lock.lockfileVersion).to.equal(3);
    packages = Object.entries(lock.packages).filter(([name]) => name !== '');
  });

  it('comes from one registry, each package by its hash', async () => {
    for (const [name, one] of packages) {
      expect(one.link, name).to.equal(undefined);
      // None names an address of its own: no git, no file, no other host.
      expect(one.resolved, name).to.equal(undefined);
      expect(one.integrity, name).to.match(/^sha512-[A-Za-z0-9+/]{86}==$/);
    }
    await recordFaults({ test: 'H packages', faults: packages.length });
  });

  it('is asked for by exact versions', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const asked = { ...dependencies, ...devDependencies };
    for (const [name, version] of Object.entries({
      ...asked,
      ...optionalDependencies,
    })) {
      expect(version, name).to.match(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    }
  });

  it(`runs with at most ${MOST_RUNTIME} packages`, async () => {
    const runtime = runtimePackages(lock);
    // Of those for one system each, a board has one.
    const places = new Set(
      runtime.map(([at, { os }]) => (os === undefined ? at : folderOf(at))),
    );
    expect(places.size).to.be.at.most(MOST_RUNTIME);
    if (places.size <= WANTED_RUNTIME) return;
    const much = `${places.size} packages at run time, ${WANTED_RUNTIME} wanted`;
    await recordMissed('H runtime', much);
  });

  it('runs with no package twice in one version', () => {
    const versions = runtimePackages(lock).map(
      ([at, { version }]) => `${nameAt(at)}@${version}`,
    );
    expect(versions).to.deep.equal([...new Set(versions)]);
  });

  it('overrides no package without a reason in docs/decisions', async () => {
    const asked = Object.entries(manifest.overrides).flatMap(([name, one]) =>
      typeof one === 'string'
        ? [`${name} ${one}`]
        : Object.entries(one).map(([inner, version]) => {
            const own = manifest.dependencies[inner] ?? '';
            const release = version.startsWith('$') ? own : version;
            return `${name} → ${inner} ${release}`;
          }),
    );
    const text = await readFile(
      path.join(ROOT, 'docs/decisions/034-overrides.md'),
      'utf8',
    );
    const rows = [...text.matchAll(/^\| (`.*?) \|/gm)];
    const given = rows.map(([, row = '']) => row.replaceAll('`', ''));
    expect(given).to.deep.equal(asked);
  });

  it('is listed in lab/reports/sbom.json with versions and licences', async () => {
    const list = await readFile(
      path.join(ROOT, 'lab', 'reports', 'sbom.json'),
      'utf8',
    );
    expect(list, 'npm run sbom').to.equal(sbomOf(lock));
    const { components } = JSON.parse(list) as { components: Component[] };
    const { dependencies, devDependencies } = manifest;
    const names = new Set(components.map(({ name }) => name));
    expect([...names]).to.include.members(Object.keys(dependencies));
    for (const { name, version, licenses } of components) {
      const [one] = licenses;
      const licence = one?.expression ?? one?.license?.id;
      expect(licence, `${name} ${version}`).to.be.a('string').and.not.equal('');
    }
    expect(names.has('express') && !names.has('mocha')).to.equal(true);
    expect(Object.keys(devDependencies)).to.include('mocha');
  });

  it('was looked up in the registry, each package in its version', async () => {
    type Known = { name: string; version: string; deprecated?: string };
    const known: Known[] = await json('lab/reports/packages.json');
    const names = (all: readonly Known[]) =>
      all.map(({ name, version }) => `${name}@${version}`);
    const used = runtimePackages(lock).map(([at, { version = '' }]) => ({
      name: nameAt(at),
      version,
    }));
    const hint = 'npm run packages';
    expect(names(known), hint).to.have.members(names(used));
    expect(names(known.filter((one) => one.deprecated))).to.deep.equal([]);
  });

  it('is newer than the release that fixes each known advisory', async () => {
    const known: Record<string, Record<string, string | null>> = await json(
      'lab/reports/advisories.json',
    );
    const table = await readFile(
      path.join(ROOT, 'lab', 'reports', 'packages.md'),
      'utf8',
    );
    const listed: { name: string; version: string; newest: string }[] =
      await json('lab/reports/packages.json');
    const newest = new Map(
      listed.map((it) => [`${it.name}@${it.version}`, it.newest]),
    );
    const runtime = runtimePackages(lock);
    for (const [name, fixes] of Object.entries(known)) {
      const used = runtime.filter(([at]) => nameAt(at) === name);
      expect(used, `${name} runs with the board no more`).to.not.be.empty;
      for (const [id, release] of Object.entries(fixes)) {
        const shown = `${id} (${release ?? 'no release yet'})`;
        expect(table, 'npm run packages').to.include(shown);
        for (const [, { version = '' }] of used) {
          // The fix has to be taken once it is released.
          const next = newest.get(`${name}@${version}`);
          if (release === null) expect(next, name).to.equal(version);
          if (release === null) continue;
          expect(isAtLeast(version, release), `${name} ${id}`).to.equal(true);
        }
      }
    }
  });

  it('may be used as it is', () => {
    for (const [name, { license = 'none', dev }] of packages) {
      if (MIT_ELSEWHERE.includes(name)) continue;
      const choices = license.replace(/[()]/g, '').split(' OR ');
      const fine = choices.some((choice) =>
        choice
          .split(' AND ')
          .every((one) => PERMISSIVE.has(one) || (dev && TOOLS.has(one))),
      );
      expect(fine, `${name}: ${license}`).to.equal(true);
    }
  });

  it('runs no script of a package at its installation', async () => {
    for (const [at, { hasInstallScript }] of packages) {
      if (hasInstallScript !== true) continue;
      const name = nameAt(at);
      expect(manifest.allowScripts[name], name).to.equal(false);
    }
    // A npm before 11 does not know the list and runs these, and no other.
    expect(Object.keys(manifest.allowScripts)).to.have.members([
      ...Object.keys(manifest.optionalDependencies),
      '@swc/core',
    ]);
  });

  it('holds no secret of anybody', async () => {
    const files = await treeFiles(ROOT);
    expect(files.length).to.be.above(500);
    for (const name of files) {
      const text = await readFile(path.join(ROOT, name), 'latin1');
      for (const secret of SECRETS) {
        expect(secret.test(text), `${name}: ${secret}`).to.equal(false);
      }
      expect(/(?:^|\/)\.env$|\.seed$|\.pem$/.test(name), name).to.equal(false);
    }
  });
});
