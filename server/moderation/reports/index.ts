import type { Endpoint } from '../../http/endpoint.js';
import type { Setting } from '../../http/openapi/operation.js';
import { report } from './answers.js';
import { fileReport } from './file-report.js';
import { readReport } from './read-report.js';
import { reportRequest } from './report-request.js';

/** Private reports (spec/board.md §7). */
export const reportEndpoints: readonly Endpoint[] = [fileReport, readReport];

/** Their bodies and answers, by the names of the machine description. */
export const reportSchemas = ({ limits }: Setting) => ({
  Report: report,
  ReportRequest: reportRequest(limits),
});
