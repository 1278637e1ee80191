type Answer = { status: number; body: Record<string, unknown>; text: string };

export type Refusal = {
  status: number;
  error: string;
  field?: string;
  scope?: string;
};

const refused = (status: number, error: string) => (field: string) => ({
  ...{ status, error, field },
});
export const invalid = refused(400, 'invalid_input');
export const tooLong = refused(422, 'too_long');
export const unknown = refused(400, 'unknown_field');

export const limited = (scope: string): Refusal => ({
  status: 429,
  error: 'rate_limited',
  scope,
});
export const CONFLICT: Refusal = {
  status: 409,
  error: 'request_id_conflict',
  field: 'request_id',
};
export const LOCKED: Refusal = {
  status: 429,
  error: 'challenge_locked',
  scope: 'challenge_attempts',
};

/** With the members of spec/board.md §1.5 and no others. */
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

export function retryAfter(answer: Answer & { headers: object }): number {
  const { headers } = answer as { headers: Record<string, string> };
  expect(headers['retry-after']).to.equal(
    String(answer.body.retry_after_seconds),
  );
  return Number(answer.body.retry_after_seconds);
}
