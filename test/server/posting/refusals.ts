import { expect } from 'chai';

type Answer = { status: number; body: Record<string, unknown>; text: string };

export type Refusal = {
  status: number;
  error: string;
  field?: string;
  scope?: string;
};

/**
 * A refusal is this one, with the members of spec/board.md §1.5 and no others.
 */
export function expectRefusal(answer: Answer, refusal: Refusal): void {
  const { status, body } = answer;
  const { error, field, scope } = body;
  expect({ status, error, field, scope }, answer.text).to.deep.equal({
    status: refusal.status,
    error: refusal.error,
    field: refusal.field,
    scope: refusal.scope,
  });
  expect(body.detail).to.be.a('string').and.not.equal('');
}

/** What a refusal by a limit says about when to come back. */
export function retryAfter(answer: Answer & { headers: object }): number {
  const { headers } = answer as { headers: Record<string, string> };
  expect(headers['retry-after']).to.equal(
    String(answer.body.retry_after_seconds),
  );
  return Number(answer.body.retry_after_seconds);
}
