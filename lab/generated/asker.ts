import type { Response } from 'supertest';
import type { Description } from '../../test/support/conforms.js';
import { type Sent, send } from '../../test/support/send.js';
import { written } from './walk.js';

export type Answer = {
  status: number;
  body: Response['body'];
  text: string;
};

export class Asker {
  private last: Sent | null = null;

  constructor(
    private readonly url: string,
    private readonly description: Description,
  ) {}

  async get(path: string, from?: string): Promise<Answer> {
    return await this.ask('GET', path, null, from);
  }

  async post(path: string, body: object, from?: string, headers = {}) {
    return await this.ask('POST', path, body, from, headers);
  }

  get told(): string {
    return this.last === null ? 'nothing was asked' : written(this.last);
  }

  private async ask(
    method: string,
    path: string,
    body: object | null,
    from = '203.0.113.99',
    more: Sent['headers'] = {},
  ): Promise<Answer> {
    const json = { 'Content-Type': 'application/json' };
    const headers = {
      ...(body === null ? {} : json),
      ...more,
      'X-Forwarded-For': from,
    };
    const text = body === null ? null : JSON.stringify(body);
    this.last = { method, path, headers, body: text };
    const answer = await send(this.url, this.last);
    const problems = this.description.problems(answer);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const isJson = answer.headers['content-type']?.includes('json');
    return {
      status: answer.status,
      body: isJson ? JSON.parse(answer.text) : {},
      text: answer.text,
    };
  }
}
