/** An element of a parsed document; text is what its character data says. */
export type Element = {
  name: string;
  attributes: { [name: string]: string };
  children: Element[];
  text: string;
};

const CHARACTER =
  /^(?:[\t\n\r\u0020-\ud7ff\ue000-\ufffd]|[\ud800-\udbff][\udc00-\udfff])*$/;
const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const TAG = new RegExp(`<(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>`, 'y');
const END = new RegExp(`</(${NAME})\\s*>`, 'y');
const PAIR = new RegExp(`(${NAME})="([^"]*)"`, 'g');
const NAMED: { [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * Parses what XML 1.0 without a document type allows, and refuses everything
 * else: characters it forbids, bare `&` and `<`, unknown entities, attributes
 * given twice, elements that do not nest, prefixes without a namespace.
 */
export function parseXml(document: string): Element {
  const head = '<?xml version="1.0" encoding="utf-8"?>\n';
  if (!document.startsWith(head)) throw new Error('no XML declaration');
  if (!CHARACTER.test(document)) throw new Error('a forbidden character');
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open: Element[] = [root];
  let at = head.length;
  while (at < document.length) {
    const here = open.at(-1) ?? root;
    const next = document.indexOf('<', at);
    const text = document.slice(at, next < 0 ? document.length : next);
    here.text += decoded(text.replace(/\r\n?/g, '\n'));
    if (next < 0) break;
    TAG.lastIndex = END.lastIndex = next;
    const [ended, closing] = END.exec(document) ?? [];
    if (ended !== undefined) {
      if (closing !== here.name)
        throw new Error(`</${closing}> closes ${here.name}`);
      open.pop();
      at = next + ended.length;
      continue;
    }
    const [tag, name = '', pairs = '', empty] = TAG.exec(document) ?? [];
    if (tag === undefined)
      throw new Error(`no tag at ${document.slice(next, next + 40)}`);
    const element = {
      name,
      attributes: attributes(pairs),
      children: [],
      text: '',
    };
    here.children.push(element);
    if (empty === '') open.push(element);
    at = next + tag.length;
  }
  const [only, ...more] = root.children;
  if (open.length !== 1 || only === undefined || more.length > 0) {
    throw new Error('not one whole element');
  }
  if (root.text.trim() !== '') throw new Error('text outside the element');
  checkPrefixes(only, new Set(['xml']));
  return only;
}

function attributes(pairs: string): { [name: string]: string } {
  const found: { [name: string]: string } = {};
  for (const [, name = '', value = ''] of pairs.matchAll(PAIR)) {
    if (name in found) throw new Error(`${name} is given twice`);
    found[name] = decoded(value.replace(/[\t\r\n]/g, ' '));
  }
  return found;
}

function decoded(text: string): string {
  if (text.includes(']]>')) throw new Error(']]> in text');
  return text.replace(/&([^;&]*;?)/g, (whole, reference: string) => {
    const [, name] = /^(\w+);$/.exec(reference) ?? [];
    if (name !== undefined && NAMED[name] !== undefined) return NAMED[name];
    const [, hex, decimal] =
      /^#(?:x([0-9a-fA-F]+)|([0-9]+));$/.exec(reference) ?? [];
    const code = Number.parseInt(
      hex ?? decimal ?? '',
      hex === undefined ? 10 : 16,
    );
    const character = Number.isInteger(code) ? String.fromCodePoint(code) : '';
    if (character === '' || !CHARACTER.test(character)) {
      throw new Error(`the reference ${whole}`);
    }
    return character;
  });
}

function checkPrefixes(element: Element, above: ReadonlySet<string>): void {
  const known = new Set(above);
  for (const name of Object.keys(element.attributes)) {
    if (name.startsWith('xmlns:')) known.add(name.slice('xmlns:'.length));
  }
  const names = [element.name, ...Object.keys(element.attributes)];
  for (const name of names) {
    const [prefix, local] = name.split(':');
    if (local === undefined || prefix === 'xmlns') continue;
    if (!known.has(prefix ?? '')) throw new Error(`unknown prefix of ${name}`);
  }
  for (const child of element.children) checkPrefixes(child, known);
}
