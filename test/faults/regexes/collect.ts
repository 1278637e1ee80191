import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { parseSync } from 'vite';
import { workerOf } from '../../support/worker-of.js';

export type Found = { at: string; regex: RegExp };
export type Collected = {
  found: Found[];
  /** Files with one that only a call would make. */
  unmade: string[];
};

type Node = { [key: string]: unknown; type: string };

function isNode(value: unknown): value is Node {
  return typeof (value as Node | null)?.type === 'string';
}

/** Every node of a syntax tree, a parent before what is in it. */
function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* nodesOf(one);
  } else if (isNode(value)) {
    yield value;
    for (const one of Object.values(value)) yield* nodesOf(one);
  }
}

function isMade(node: Node): boolean {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') {
    return false;
  }
  return (node.callee as Node & { name?: string }).name === 'RegExp';
}

async function sourcesOf(root: string, folders: readonly string[]) {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(path.join(root, folder), { recursive: true });
      return names.map((name) => path.join(folder, name));
    }),
  );
  return lists.flat().filter((name) => /\.tsx?$/.test(name));
}

/** Literals from syntax trees; those of `RegExp` by evaluating modules. */
export async function collectRegexes(
  root: string,
  folders: readonly string[],
): Promise<Collected> {
  const found: Found[] = [];
  const makes = new Map<string, number>();
  for (const name of await sourcesOf(root, folders)) {
    const text = await readFile(path.join(root, name), 'utf8');
    let made = 0;
    for (const node of nodesOf(parseSync(name, text).program)) {
      const { regex } = node as { regex?: { pattern: string; flags: string } };
      if (node.type === 'Literal' && regex !== undefined) {
        const { pattern, flags } = regex;
        found.push({ at: name, regex: new RegExp(pattern, flags) });
      } else if (isMade(node)) {
        made += 1;
      }
    }
    if (made > 0) makes.set(name, made);
  }
  const evaluated = await madeBy(root, [...makes.keys()]);
  const unmade = [...makes].flatMap(([name, count]) => {
    const made = evaluated.filter(({ at }) => at === name);
    return made.length < count ? [name] : [];
  });
  return { found: [...found, ...evaluated], unmade };
}

const WATCHED = `
import { parentPort, workerData } from 'node:worker_threads';
const made = [];
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, given, as) {
    const regex = Reflect.construct(target, given, as);
    const { stack } = new Error();
    for (const { at } of workerData) if (stack.includes(at)) made.push({ at, regex });
    return regex;
  },
});
for (const { url } of workerData) await import(url);
parentPort.postMessage(made);`;

/** What `RegExp` makes while modules are evaluated, in a thread of their own. */
async function madeBy(root: string, names: readonly string[]) {
  const workerData = names.map((at) => {
    return { at, url: pathToFileURL(path.join(root, at)).href };
  });
  const worker = new Worker(workerOf(WATCHED), { workerData });
  const [made] = (await once(worker, 'message')) as [Found[]];
  await worker.terminate();
  return made;
}
