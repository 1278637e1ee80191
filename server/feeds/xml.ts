/** What XML 1.0 cannot hold, not even as a reference (its production 2). */
const FORBIDDEN =
  /(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A parser would turn a bare one into a line feed (XML 1.0, 2.11).
  '\r': '&#13;',
};

/**
 * Text as character data. A character that XML forbids becomes U+FFFD; the
 * exact text stays one link away, at the address for programs.
 */
export function xmlText(text: string): string {
  return text
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"'\r]/g, (character) => REFERENCES[character] ?? '');
}

/** Text inside quotes: tabs and line feeds would become blanks (3.3.3). */
export function xmlAttribute(text: string): string {
  return xmlText(text).replace(/[\t\n]/g, (character) =>
    character === '\t' ? '&#9;' : '&#10;',
  );
}

type Attributes = Readonly<Record<string, string>>;

/** An element with text; empty without. */
export function element(
  name: string,
  attributes: Attributes,
  text?: string,
): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${xmlAttribute(value)}"`,
  );
  const start = `<${name}${pairs.join('')}`;
  if (text === undefined) return `${start}/>`;
  return `${start}>${xmlText(text)}</${name}>`;
}
