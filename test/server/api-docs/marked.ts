import type { Element } from '../../support/xml.js';
import { MARKER } from './injections.js';

/** Members whose text is a member's own. */
export const TEXTS: ReadonlySet<string> = new Set([
  ...['body', 'title', 'root_title', 'author'],
  ...['question', 'options', 'excerpt'],
  ...['content_text', 'name', 'summary'],
]);

/** Where in a JSON value markers stand, by the nearest named member. */
export function markedMembers(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return MARKER.test(value) ? [name] : [];
  if (Array.isArray(value)) {
    return value.flatMap((item) => markedMembers(item, name));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(MARKER.test(key) ? [`the key ${key}`] : []),
    ...markedMembers(inner, key),
  ]);
}

/** Elements of a feed, and their attributes, in which markers stand. */
export function markedElements(element: Element): string[] {
  const values = Object.values(element.attributes).some((it) =>
    MARKER.test(it),
  );
  return [
    ...(values ? [`an attribute of ${element.name}`] : []),
    ...(MARKER.test(element.text) ? [element.name] : []),
    ...element.children.flatMap(markedElements),
  ];
}
