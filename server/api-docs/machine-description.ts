import { z } from 'zod';
import { readEndpoint } from '../http/endpoint.js';
import { discoveryLinks } from '../http/headers.js';
import { ok, TAGS, type Tag } from '../http/openapi/operation.js';
import { JSON_TYPE } from '../http/send.js';
import { schemas } from './answers.js';
import { PART_NAMES, partName, partOf } from './description-part.js';
import {
  type Documented,
  type Hashed,
  hashed,
  type MachineDescription,
} from './document.js';
import { sendDocument } from './document-page.js';

export function machineDescription(
  baseUrl: string,
  document: Parameters<typeof partOf>[0],
): MachineDescription {
  const parts = new Map<string, Hashed>();
  const made = (name: string, content: object) =>
    hashed(`${baseUrl}/${name}`, JSON_TYPE, JSON.stringify(content));
  const part = (name: string) => {
    const tag = (Object.keys(TAGS) as Tag[]).find(
      (it) => partName(it) === name,
    );
    if (tag === undefined) throw new Error(`no group is named ${name}`);
    const known = parts.get(name);
    const it = known ?? made(`openapi/${name}.json`, partOf(document, tag));
    parts.set(name, it);
    return it;
  };
  return { ...made('openapi.json', document), part };
}

const described = {
  tag: 'Discovery',
  answers: () =>
    ok('The description.', schemas.MachineDescription, {
      openapi: '3.1.0',
      paths: {},
    }),
  passes: () => [discoveryLinks()],
} as const;

/** spec/board.md §9 */
export const readMachineDescription = readEndpoint({
  get: '/openapi.json',
  id: 'readMachineDescription',
  summary: 'This description',
  description: 'OpenAPI 3.1, made once at the start of the process.',
  about: 'machine description, OpenAPI 3.1; large',
  ...described,
  handle:
    ({ description }: Documented) =>
    ({ req, res }) =>
      sendDocument(req, res, description()),
});

export const readDescriptionPart = readEndpoint({
  get: '/openapi/:part',
  id: 'readDescriptionPart',
  summary: 'This description, one group at a time',
  description: 'The operations of one tag and the components that they need.',
  about: `one group of it: ${PART_NAMES.join(', ')}`,
  params: {
    part: z
      .enum(PART_NAMES.map((name) => `${name}.json`))
      .describe('The tag in lower case, and `.json`.')
      .meta({ examples: ['reading.json'] }),
  },
  ...described,
  handle:
    ({ description }: Documented) =>
    ({ req, res, params: { part } }) =>
      sendDocument(req, res, description().part(part.replace(/\.json$/, ''))),
});
