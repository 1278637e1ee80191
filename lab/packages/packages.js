// Writes lab/reports/packages.json and reports/packages.md: what the registry says of
// each package that runs with the board. It asks the registry, so a test only
// looks whether the list is that of package-lock.json. `-- --changed` asks only
// about releases that the list does not have yet. What advisories there are is
// kept by hand in lab/reports/advisories.json: the release that fixes each, null
// where there is none.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import '@oxc-node/core/register';

const { nameAt, runtimePackages } = await import('./runtime-packages.ts');

const AT_ONCE = 8;
/** A package without a release for so long may have no maintainer left. */
const QUIET_YEARS = 3;
const YEAR_MS = 365.25 * 86_400_000;

const root = fileURLToPath(new URL('../../', import.meta.url));
const json = async (name) =>
  JSON.parse(await readFile(path.join(root, name), 'utf8'));
const lock = await json('package-lock.json');
const { dependencies, optionalDependencies } = await json('package.json');
const direct = new Set(
  Object.keys({ ...dependencies, ...optionalDependencies }),
);

const { stdout } = await promisify(execFile)('npm', [
  'config',
  'get',
  'registry',
]);
const registry = stdout.trim();

const day = (time) => (time ?? '').slice(0, 10);
const numbers = (version) => version.split('-')[0].split('.').map(Number);
/** The line whose releases promise to break nothing: `4`, or `0.3`. */
const lineOf = (version) => {
  const [major, minor] = numbers(version);
  return major === 0 ? `0.${minor}` : `${major}`;
};
const compare = (a, b) => {
  const [x, y] = [numbers(a), numbers(b)];
  return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
};

async function lookUp({ name, version }) {
  const answer = await fetch(`${registry}${name.replace('/', '%2f')}`);
  if (!answer.ok)
    throw new Error(`${name}: the registry said ${answer.status}`);
  const { versions, time } = await answer.json();
  const finished = Object.keys(versions).filter((one) => !one.includes('-'));
  // Some have nothing but releases with a suffix.
  const stable = finished.length > 0 ? finished : Object.keys(versions);
  const line = stable.filter((one) => lineOf(one) === lineOf(version));
  const newest = (list) => list.toSorted(compare).at(-1) ?? version;
  const releases = Object.keys(versions)
    .map((one) => day(time[one]))
    .sort();
  const { license, deprecated } = versions[version];
  return {
    name,
    version,
    direct: direct.has(name),
    license: typeof license === 'string' ? license : (license?.type ?? ''),
    released: day(time[version]),
    newest_of_line: newest(line),
    newest: newest(stable),
    last_release: releases.at(-1) ?? '',
    ...(deprecated ? { deprecated } : {}),
  };
}

const asked = runtimePackages(lock).map(([at, { version }]) => ({
  name: nameAt(at),
  version,
}));
const known = process.argv.includes('--changed')
  ? await json('lab/reports/packages.json')
  : [];
const idOf = ({ name, version }) => `${name}@${version}`;
const byId = new Map(known.map((one) => [idOf(one), one]));
const packages = asked.flatMap((one) => byId.get(idOf(one)) ?? []);
const unknown = asked.filter((one) => !byId.has(idOf(one)));
while (unknown.length > 0) {
  packages.push(...(await Promise.all(unknown.splice(0, AT_ONCE).map(lookUp))));
  process.stderr.write(
    `\r${packages.length} packages, ${unknown.length} left `,
  );
}
process.stderr.write('\n');
packages.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));

const now = Date.now();
const isQuiet = ({ last_release: last }) =>
  now - Date.parse(last) > QUIET_YEARS * YEAR_MS;
const isBehind = ({ version, newest_of_line: newest }) =>
  compare(newest, version) > 0;
const remarks = (one) =>
  [
    one.deprecated ? 'deprecated' : '',
    isBehind(one) ? `${one.newest_of_line} is out` : '',
    isQuiet(one) ? `no release since ${one.last_release}` : '',
  ].filter(Boolean);
const advisories = await json('lab/reports/advisories.json');
const mended = ({ name }) =>
  Object.entries(advisories[name] ?? {})
    .map(([id, release]) => `${id} (${release ?? 'no release yet'})`)
    .join(', ');
const row = (one) =>
  `| ${one.direct ? `**${one.name}**` : one.name} | ${one.version} | ${one.license} | ${one.released} | ${one.newest} | ${one.last_release} | ${mended(one)} | ${remarks(one).join('; ')} |`;
const listed = Object.values(advisories).flatMap((it) => Object.keys(it));
const count = (which) => packages.filter(which).length;
const text = `# Packages that run with the board

${packages.length} packages as \`npm run packages\` found them on ${day(new Date(now).toISOString())}, those that
\`package.json\` names in bold. ${count((one) => one.deprecated)} are deprecated, ${count(isBehind)} have a newer release in their line,
${count(isQuiet)} had no release for ${QUIET_YEARS} years.

The advisories of a package, with the release that fixes each, are kept by hand
(\`lab/reports/advisories.json\`, ${listed.length} of ${Object.keys(advisories).length} packages), from what is public at CVE and GitHub;
the service that \`npm audit\` asks could not be reached. A test fails where the
release in use is older, or where there is one at last. Packages without one were not all looked up. So look
where a remark says "is out", and run \`npm audit\` where its service answers.

| package | version | licence | released | newest | last release of any line | advisories (fixed in) | remarks |
| --- | --- | --- | --- | --- | --- | --- | --- |
${packages.map(row).join('\n')}
`;
const reports = path.join(root, 'lab', 'reports');
await writeFile(
  path.join(reports, 'packages.json'),
  `${JSON.stringify(packages, null, 2)}\n`,
);
await writeFile(path.join(reports, 'packages.md'), text);
