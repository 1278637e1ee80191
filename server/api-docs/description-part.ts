import { TAGS, type Tag } from '../http/openapi/operation.js';

/** `reading`, `mesh` */
export function partName(tag: string): string {
  return tag.toLowerCase();
}

export const PART_NAMES: readonly string[] = Object.keys(TAGS).map(partName);

type Whole = {
  info: { title: string; description: string };
  tags: readonly { name: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, { tags: string[] }>>>>;
  components: Readonly<Record<string, { readonly [key: string]: unknown }>>;
};

/**
 * One group with its components: a tenth of the whole.
 * @param document the machine description; its other members stay
 */
export function partOf<Document extends Whole>(
  document: Document,
  tag: Tag,
): Document {
  const { info, tags, paths, components } = document;
  const kept = Object.entries(paths).flatMap(([path, methods]) => {
    const own = Object.entries(methods).filter(([, it]) =>
      it.tags.includes(tag),
    );
    return own.length === 0 ? [] : [[path, Object.fromEntries(own)] as const];
  });
  const needed = neededBy(kept, components);
  const parts = Object.entries(components).map(([kind, named]) => [
    kind,
    Object.fromEntries(
      Object.entries(named).filter(([name]) => needed.has(`${kind}/${name}`)),
    ),
  ]);
  return {
    ...document,
    info: {
      ...info,
      title: `${info.title}: ${tag}`,
      description: `Only ${tag}; the whole is /openapi.json.\n\n${info.description}`,
    },
    tags: tags.filter(({ name }) => name === tag),
    paths: Object.fromEntries(kept),
    components: Object.fromEntries(parts),
  };
}

const REFERENCE = /^#\/components\/(?<place>\w+\/[\w-]+)$/;

/** All `schemas/…` that a value needs, recursively. */
function neededBy(
  value: unknown,
  components: Whole['components'],
): Set<string> {
  const found = new Set<string>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, inner] of Object.entries(node)) {
      open.push(inner);
      if (key !== '$ref' || typeof inner !== 'string') continue;
      const place = REFERENCE.exec(inner)?.groups?.place;
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      const [kind = '', name = ''] = place.split('/');
      open.push(components[kind]?.[name]);
    }
  }
  return found;
}
