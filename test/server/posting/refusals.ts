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

export const CONFLICT = refused(409, 'request_id_conflict')('request_id');

const spent = (error: string) => (scope: string) => ({
  ...{ status: 429, error, scope },
});
export const limited = spent('rate_limited');
export const LOCKED = spent('challenge_locked')('challenge_attempts');

/** With the members of spec/board.md §1.5 and no others. */
export function expectRefusal(answer: Answer, refusal: Refusal): void {
  const { status, body } = answer;
  const { error, field, scope } = body;
  expect({ status, error, field, scope }, answer.text).to.deep.equal({
    ...{ field: undefined, scope: undefined, ...refusal },
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
