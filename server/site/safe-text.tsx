import { LRUCache } from 'lru-cache';
import { visibleParts } from './invisible-characters.js';
import { safeHtml } from './markdown/render-rules.js';

/**
 * Shows invisible characters as marks and isolates the text's direction; JSX
 * escapes it.
 */
export function SafeText({ text }: { text: string }) {
  return (
    <bdi>
      <VisibleText text={text} />
    </bdi>
  );
}

/** With marks; titles, names and excerpts recur. Empty where it needs none. */
const marked = new LRUCache<string, string>({
  maxSize: 2_000_000,
  sizeCalculation: (html, text) => html.length + text.length + 1,
  memoMethod: (text) =>
    visibleParts(text).some(({ mark }) => mark) ? safeHtml(text) : '',
});

/** Inside an element with `dir="auto"`. */
export function VisibleText({ text }: { text: string }) {
  const html = marked.memo(text);
  if (html === '') return <>{text}</>;
  return <span dangerouslySetInnerHTML={{ __html: html }} />;
}
