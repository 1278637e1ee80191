import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readEndpoint } from '../http/endpoint.js';
import { discoveryLinks } from '../http/headers.js';
import { lazy } from '../http/lazy.js';
import { PACKAGE_ROOT } from '../http/release.js';
import { JSON_TYPE } from '../http/send.js';
import { schemas } from './answers.js';
import { type Hashed, hashed } from './document.js';
import { sendDocument } from './document-page.js';

const TYPES = {
  'mesh.md': 'text/markdown; charset=utf-8',
  'mesh-vectors.json': JSON_TYPE,
} as const;

type FileName = keyof typeof TYPES;
const NAMES = Object.keys(TYPES) as FileName[];

export function meshProtocol(baseUrl: string): Record<FileName, Hashed> {
  const folder = path.join(PACKAGE_ROOT, 'docs', 'spec');
  const file = (name: FileName) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    return hashed(`${baseUrl}/protocol/${name}`, TYPES[name], text);
  };
  return {
    'mesh.md': file('mesh.md'),
    'mesh-vectors.json': file('mesh-vectors.json'),
  };
}

export const readMeshProtocol = readEndpoint({
  get: '/protocol/:name',
  id: 'readMeshProtocol',
  tag: 'Discovery',
  summary: 'The protocol of the mesh, and worked values of its formats',
  description:
    'What other software needs to join: `mesh.md` is the whole specification, `mesh-vectors.json` has worked values and negative cases. `mesh_protocol` of /api/protocol has the SHA-256 of exactly these bytes, the same on all boards of a release.',
  about: `the mesh, specified: ${NAMES.join(', ')}`,
  form: 'text',
  params: {
    name: z
      .enum(NAMES)
      .describe('The specification, or its worked values.')
      .meta({ examples: ['mesh.md'] }),
  },
  answers: () => ({
    200: {
      description: 'The file.',
      participation: true,
      json: { schema: schemas.MeshVectors, example: {} },
      text: {
        'text/markdown': {
          description: 'The specification.',
          example: '# The mesh protocol\n',
        },
      },
    },
  }),
  passes: () => [discoveryLinks()],
  handle: ({ config }) => {
    const files = lazy(() => meshProtocol(config.baseUrl));
    return ({ req, res, params: { name } }) =>
      sendDocument(req, res, files()[name]);
  },
});
