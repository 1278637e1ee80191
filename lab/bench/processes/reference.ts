import http from 'node:http';
import express from 'express';
import { serving } from '../../../test/support/serving.js';
import { answer } from './answer.js';

/** The answer that both servers give to whatever they are asked. */
export type ReferenceQuestion = {
  kind: 'bare' | 'express';
  /** Names and values in turn, as they came from the board. */
  headers: string[];
  body: Uint8Array;
};

function bare({ headers, body }: ReferenceQuestion): http.RequestListener {
  const bytes = Buffer.from(body);
  return (_req, res) => {
    res.writeHead(200, headers);
    res.end(bytes);
  };
}

function withExpress({ body }: ReferenceQuestion): http.RequestListener {
  const object: unknown = JSON.parse(Buffer.from(body).toString());
  const app = express();
  app.get('/{*path}', (_req, res) => {
    res.json(object);
  });
  return app;
}

answer<ReferenceQuestion>(async (question) => {
  const listener =
    question.kind === 'bare' ? bare(question) : withExpress(question);
  return (await serving(http.createServer(listener))).port;
});
