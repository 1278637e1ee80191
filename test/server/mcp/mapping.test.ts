import { expect } from 'chai';
import { z } from 'zod';
import { TOOLS } from '../../../client/mcp/board-server.js';
import type { Tool } from '../../../client/mcp/tool.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import {
  type Described,
  type Json,
  type OpenApi,
  operationsOf,
  resolved,
} from '../../support/described.js';

const EXAMPLE_UUID = '0b9c3f6e-6d5c-4c1b-9a57-3a2f7d7a0f11';

type Args = Record<string, unknown>;

/** The arguments of a tool, as JSON Schema. */
const inputOf = ({ input }: Tool) =>
  (z.toJSONSchema(input).properties ?? {}) as Record<string, Json>;

function sample(schema: Json): unknown {
  const { type, format, minimum, enum: values, const: only } = schema;
  if (format === 'uuid') return EXAMPLE_UUID;
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  if (type === 'integer') return minimum;
  if (type === 'boolean') return true;
  return type === 'object' ? { question: 'Which?' } : 'some text';
}

/** All that a tool takes, of this board and of others. */
function callsOf(tool: Tool): Args[] {
  const { board, publish_url: url, ...own } = inputOf(tool);
  const all = Object.fromEntries(
    Object.entries(own).map(([name, schema]) => [name, sample(schema)]),
  );
  if (url !== undefined) {
    const urls = ['/write/publish', '/api/messages/1/votes'];
    return [...urls, '/api/polls/1/votes'].map((publish_url) => ({
      ...all,
      publish_url,
    }));
  }
  const boards = board === undefined ? [] : ['b.example', '*'];
  return [all, ...boards.map((name) => ({ ...all, board: name }))].map((args) =>
    withoutIdle(tool, args),
  );
}

/** Without what the tool refuses together with the others. */
function withoutIdle(tool: Tool, args: Args): Args {
  const issues = tool.input.safeParse(args).error?.issues ?? [];
  const idle = issues.flatMap(({ code, path: [name] }) =>
    code === 'custom' || name === 'board' ? String(name) : [],
  );
  return Object.fromEntries(
    Object.entries(args).filter(([name]) => !idle.includes(name)),
  );
}

describe('the tools and the machine description', () => {
  let test: TestBoard;
  let document: OpenApi;

  before(async () => {
    test = await startBoard();
    document = (await test.as().get('/openapi.json')).body;
  });

  after(() => test.stop());

  const operationOf = (method: string, path: string): Described => {
    const found = operationsOf(document).find((one) => {
      const template = one.path.split('/');
      const parts = path.split('/');
      return (
        one.method === method.toLowerCase() &&
        template.length === parts.length &&
        template.every((part, at) => /^\{/.test(part) || part === parts[at])
      );
    });
    if (found === undefined) throw new Error(`no ${method} ${path}`);
    return found;
  };

  for (const tool of TOOLS) {
    it(`${tool.name} asks for what the description declares`, () => {
      for (const args of callsOf(tool)) {
        const { method, path, body } = tool.request(tool.input.parse(args));
        const url = new URL(path, test.url);
        const { operation } = operationOf(method, url.pathname);
        const declared = operation.parameters
          .map((one) => resolved(document, one))
          .filter((one) => one.in === 'query');
        const names = declared.map(({ name }) => name);
        const sent = [...url.searchParams.keys()];
        expect(names, path).to.include.members(sent);
        expect(sent, path).to.include.members(
          declared.filter((one) => one.required).map(({ name }) => name),
        );
        const media = operation.requestBody?.content['application/json'];
        if (media !== undefined) {
          const { properties, required } = resolved(document, media.schema) as {
            properties: object;
            required: string[];
          };
          const fields = Object.keys(body ?? {}).filter(
            (name) => (body as Args)[name] !== undefined,
          );
          expect(Object.keys(properties)).to.include.members(fields);
          expect(fields).to.include.members(required);
        }
        const input = inputOf(tool);
        for (const { name, schema } of declared) {
          const { maximum, enum: values } = input[name] ?? {};
          if (maximum !== undefined) {
            expect(maximum, name).to.equal(schema.maximum);
          }
          if (values !== undefined) {
            expect(values, name).to.deep.equal(schema.enum);
          }
        }
      }
    });
  }
});
