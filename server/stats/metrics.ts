import { createServer, type Server, type ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import { routePattern } from '../http/request-state.js';

/** Seconds: a hot read takes under a millisecond, a long poll half a minute. */
const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

export type NodeGauge = {
  name: string;
  help: string;
  labels: readonly string[];
  read: () => Promise<{ labels: Record<string, string>; value: number }[]>;
};
type Readiness = { status: 'ok' | 'fail' };
type Page = { status: number; type: string; text: string };
type JobRan = { name: string; durationMs: number; error: string | null };

/** For Prometheus (§14.6). */
export class Metrics {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];
  private readonly requests = new Histogram({
    name: 'board_http_request_seconds',
    help: 'Time to the end of an answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: this.registers,
  });
  private readonly jobRuns = new Counter({
    name: 'board_job_runs_total',
    help: 'Runs of each job by this process.',
    labelNames: ['job', 'outcome'],
    registers: this.registers,
  });
  private readonly jobSeconds = new Gauge({
    name: 'board_job_last_seconds',
    help: 'Duration of the last run of each job by this process.',
    labelNames: ['job'],
    registers: this.registers,
  });
  private server: Server | null = null;

  constructor(private readonly readiness: () => Promise<Readiness>) {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Values, by their labels, are read at each scrape. */
  add(gauges: readonly NodeGauge[]): void {
    const { registers } = this;
    for (const { name, help, labels: labelNames, read } of gauges) {
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          this.reset();
          const samples = await read();
          // Without labels it stays 0 after a reset: nothing to measure.
          if (samples.length + labelNames.length === 0) this.remove();
          for (const { labels, value } of samples) this.set(labels, value);
        },
      });
    }
  }

  timeRequests(): RequestHandler {
    return (req, res, next) => {
      const began = performance.now();
      // Not `finish`: aborted answers took time, too.
      res.on('close', () => {
        const { method, route } = routePattern(req);
        this.timed(method, route, res, began);
      });
      next();
    };
  }

  /** `began` is from `performance.now()`. */
  timed(
    method: string,
    route: string,
    { headersSent, statusCode }: ServerResponse,
    began: number,
  ): void {
    const status = headersSent ? String(statusCode) : 'aborted';
    const seconds = (performance.now() - began) / 1000;
    this.requests.observe({ method, route, status }, seconds);
  }

  jobRan({ name: job, durationMs, error }: JobRan): void {
    this.jobRuns.inc({ job, outcome: error === null ? 'ran' : 'failed' });
    this.jobSeconds.set({ job }, durationMs / 1000);
  }

  /** GET /metrics, and GET /readyz with reasons that the public one hides. */
  async listen(port: number, host: string): Promise<void> {
    const pages: Readonly<Record<string, () => Promise<Page>>> = {
      '/metrics': async () => ({
        status: 200,
        type: this.registry.contentType,
        text: await this.registry.metrics(),
      }),
      '/readyz': async () => {
        const found = await this.readiness();
        return {
          status: found.status === 'ok' ? 200 : 503,
          type: 'application/json; charset=utf-8',
          text: `${JSON.stringify(found)}\n`,
        };
      },
    };
    const server = createServer((req, res) => {
      const page = req.method === 'GET' ? pages[req.url ?? ''] : undefined;
      if (page === undefined) {
        res.writeHead(404).end();
        return;
      }
      page().then(
        ({ status, type, text }) => {
          res.writeHead(status, { 'Content-Type': type }).end(text);
        },
        () => res.writeHead(503).end(),
      );
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
