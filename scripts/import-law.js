// Runs the import law and fails when the tool saw too little to mean anything;
// and the law of statements written by hand.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cruise, format } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import law from '../.dependency-cruiser.cjs';
import { handWritten } from './raw-sql.js';

const FOLDERS = ['protocol', 'server', 'mesh', 'admin-ui'];
const FEWEST = 150;
/** Files that import each other in a circle, types counted. */
const LARGEST_CIRCLE = 9;
/** Not cruised, which would take twice as long: their text is looked through. */
const BESIDE_THE_LAB = ['bin', 'client', 'scripts', 'test'];

/** What a browser has of a server: words, numbers and a style, else types. */
const SHARED = [
  'mesh/peer-port.ts',
  'server/dashboard/live/events.ts',
  'server/dashboard/notifications/words.ts',
  'server/dashboard/roles.ts',
  'server/site/style/look.css',
];

const { output } = await cruise(
  FOLDERS,
  { ...law.options, ruleSet: { forbidden: law.forbidden }, validate: true },
  undefined,
  { tsConfig: extractTSConfig('tsconfig.json') },
);
const own = output.modules.filter(({ source }) =>
  FOLDERS.some((folder) => source.startsWith(`${folder}/`)),
);
const report = await format(output, { outputType: 'err' });
console.log(report.output);
if (own.length < FEWEST) {
  console.error(`only ${own.length} modules seen: the check checks nothing`);
  process.exit(1);
}
const disorder = [
  ...wrongOrder(own),
  ...serverInBrowsers(own),
  ...reachesOfTheLab(),
];
for (const sentence of disorder) console.error(sentence);
const circle = largestCircle(own);
console.log(`${circle.length} files in the largest circle, types counted`);
if (circle.length > LARGEST_CIRCLE) {
  console.error(`above ${LARGEST_CIRCLE}: ${circle.sort().join(', ')}`);
  process.exitCode = 1;
}
const { wrong, statements } = handWritten();
console.log(`${statements} calls of statements by hand in *.sql.ts`);
if (wrong.length > 0) {
  console.error(`statements by hand outside *.sql.ts: ${wrong.join(', ')}`);
}
if (report.exitCode + wrong.length + disorder.length > 0) process.exitCode = 1;

/** Tarjan's strongly connected components: the one with the most files. */
function largestCircle(modules) {
  const next = new Map(
    modules.map(({ source, dependencies }) => [
      source,
      dependencies.map(({ resolved }) => resolved),
    ]),
  );
  const lowest = new Map();
  const open = [];
  const closed = new Set();
  let largest = [];
  const visit = (file) => {
    const at = lowest.size;
    lowest.set(file, at);
    open.push(file);
    for (const to of next.get(file)) {
      if (!next.has(to) || closed.has(to)) continue;
      if (!lowest.has(to)) visit(to);
      lowest.set(file, Math.min(lowest.get(file), lowest.get(to)));
    }
    if (lowest.get(file) !== at) return;
    const circle = open.splice(open.indexOf(file));
    for (const member of circle) closed.add(member);
    if (circle.length > largest.length) largest = circle;
  };
  for (const file of next.keys()) if (!lowest.has(file)) visit(file);
  return largest;
}

/** Values that one file imports of others; types load nothing. */
function valuesOf({ source, dependencies }) {
  const text = readFileSync(source, 'utf8');
  const imports = [
    ...text.matchAll(/\b(?:im|ex)port\s+(type\s)?[^;']*?from\s+'([^']+)'/g),
  ];
  const named = imports.flatMap(([, type, name]) => (type ? [] : [name]));
  const loaded = new Set(named);
  return dependencies.filter(({ module }) => loaded.has(module));
}

function serverInBrowsers(modules) {
  return modules
    .filter(({ source }) => source.startsWith('admin-ui/'))
    .flatMap((module) =>
      valuesOf(module)
        .map(({ resolved }) => resolved)
        .filter((to) => /^(?:server|mesh)\//.test(to) && !SHARED.includes(to))
        .map((to) => `${module.source} imports more than types of ${to}`),
    );
}

/** Relative addresses in these folders that lead into lab/, however used. */
function reachesOfTheLab() {
  const files = BESIDE_THE_LAB.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map((file) => path.join(folder, file))
      .filter((file) => /\.(?:tsx?|[cm]?js)$/.test(file)),
  );
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/['"`](\.\.?\/[^'"`\n]*)['"`]/g)]
      .map(([, address]) => path.join(path.dirname(file), address))
      .filter((reached) => reached.startsWith('lab/'))
      .map((reached) => `${file} reaches ${reached}: nothing needs the lab`),
  );
}

/**
 * What breaks the order of server/'s folders: db, ledger and http are under
 * the features, and no two features load each other. Commands are outside.
 */
function wrongOrder(modules) {
  const folderOf = (file) => /^server\/([^/]+)\//.exec(file)?.[1];
  const edges = new Map();
  for (const module of modules) {
    const from = folderOf(module.source);
    if (from === undefined || from === 'cli') continue;
    const to = edges.get(from) ?? new Set();
    edges.set(from, to);
    for (const { resolved } of valuesOf(module)) {
      const other = folderOf(resolved);
      if (other !== undefined && other !== from) to.add(other);
    }
  }
  const under = { db: [], ledger: ['db'], http: ['db', 'ledger'] };
  const upward = Object.entries(under).flatMap(([from, allowed]) =>
    [...(edges.get(from) ?? [])]
      .filter((to) => !allowed.includes(to))
      .map((to) => `server/${from} imports server/${to}, which is above it`),
  );
  const reached = (start, seen = new Set()) => {
    for (const next of edges.get(start) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      reached(next, seen);
    }
    return seen;
  };
  const circles = [...edges.keys()].flatMap((name) =>
    [...reached(name)]
      .filter((other) => name < other && reached(other).has(name))
      .map((other) => `server/${name} and server/${other} import each other`),
  );
  return [...upward, ...circles];
}
